import { GrpcStatus } from "./grpc-status.ts";
import { MpiError } from "./mpi-error.ts";
import { toldCode } from "./told-code.ts";

/** An error as it may stand in a log: the messages of errors that are not ours often quote values. */
export interface LoggedCause {
  readonly name: string;
  /** Codes as PostgreSQL, Node and registers give them, such as 23505 or ECONNREFUSED. */
  readonly code?: string;
  /** Of our own errors only: meanings and codes. */
  readonly message?: string;
  /** Of a gRPC channel only: why it reached nobody. */
  readonly reason?: string;
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
    ...("code" in error && { code: toldCode(String(error.code)) }),
    ...(error instanceof MpiError && { message: error.message }),
    ...(isUnreachable(error) && { reason: reasonOf(error) }),
    stack: framesOf(error),
  };
}

/** Long enough for the words of OpenSSL. */
const LONGEST_REASON = 300;

/** Why nobody was reached, in the words of the gRPC channel: for the log, as they may hold an address. */
export function unreachableBecause(error: unknown): string | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (isUnreachable(one)) return reasonOf(one);
  }
  return undefined;
}

/** What grpc-js reports of a connection. */
type Unreachable = Error & { readonly details: string };

function isUnreachable(error: Error): error is Unreachable {
  const isOfChannel = "details" in error && typeof error.details === "string";
  return isOfChannel && "code" in error && error.code === GrpcStatus.UNAVAILABLE;
}

function reasonOf({ details }: Unreachable): string {
  return details.trim().slice(0, LONGEST_REASON);
}

// The stack begins with the message, of which a line may look like one of the stack.
function framesOf({ stack = "", message }: Error): string {
  const start = stack.indexOf(message);
  return stack
    .slice(start < 0 ? 0 : start + message.length)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, mostFrames)
    .join("\n");
}
