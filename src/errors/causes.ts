import { MpiError } from "./mpi-error.ts";

/** An error as it may stand in a log: the messages of errors that are not ours often quote values. */
export interface LoggedCause {
  readonly name: string;
  /** Codes as PostgreSQL and Node give them, such as 23505 or ECONNREFUSED. */
  readonly code?: string;
  /** Of our own errors only: meanings and codes. */
  readonly message?: string;
  /** Where it was thrown. */
  readonly stack: string;
}

const longestChain = 8;
const mostFrames = 12;

/** The error and its causes, outermost first. */
export function causesOf(error: unknown): LoggedCause[] {
  const causes: LoggedCause[] = [];
  for (let one: unknown = error; one !== undefined && causes.length < longestChain; one = causeOf(one)) {
    causes.push(logged(one));
  }
  return causes;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function logged(error: unknown): LoggedCause {
  if (!(error instanceof Error)) return { name: typeof error, stack: "" };
  return {
    name: error.name,
    ...("code" in error && { code: String(error.code) }),
    ...(error instanceof MpiError && { message: error.message }),
    stack: framesOf(error),
  };
}

// The stack begins with the message, which may have lines of its own.
function framesOf(error: Error): string {
  const lines = error.stack?.split("\n") ?? [];
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, mostFrames)
    .join("\n");
}
