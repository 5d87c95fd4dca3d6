import {
  type ErrorIssue,
  type ErrorSystem,
  GrpcStatus,
  MpiError,
  originalError,
  registerIssue,
} from "../../errors/index.ts";
import { NoAnswer, Refusal, type Silence } from "./failures.ts";

/** What a register said when it refused. */
export interface Refused {
  /** Its code, or the type of an error of the exchange layer; empty when there was none. */
  readonly code: string;
  readonly text: string;
  /** Both, for texts that are followed by the original error. */
  readonly original: string;
  /** Whose code it is. */
  readonly isFromExchange: boolean;
}

/** The codes of an adapter: its own issue in either case. */
export interface AdapterErrors {
  /** The register behind it; undefined when its own errors are not shown. */
  readonly register: ErrorSystem | undefined;
  readonly noAnswer: (silence: Silence) => ErrorIssue;
  readonly refused: (refused: Refused) => ErrorIssue;
}

/** The status of an adapter's issue for a register that gave no answer: UNAVAILABLE unless said. */
export function ofSilence(silence: Silence): {
  readonly status?: typeof GrpcStatus.DEADLINE_EXCEEDED | typeof GrpcStatus.UNKNOWN;
} {
  if (silence === "late") return { status: GrpcStatus.DEADLINE_EXCEEDED };
  return silence === "garbage" ? { status: GrpcStatus.UNKNOWN } : {};
}

/** The same for issues whose status is UNKNOWN unless said. */
export function ofFailedCall(silence: Silence): {
  readonly status?: typeof GrpcStatus.DEADLINE_EXCEEDED | typeof GrpcStatus.UNAVAILABLE;
} {
  if (silence === "late") return { status: GrpcStatus.DEADLINE_EXCEEDED };
  return silence === "unreachable" ? { status: GrpcStatus.UNAVAILABLE } : {};
}

/**
 * Does what asks a register; its failures become the adapter's part of the chain: the adapter's issue, and the
 * register's own behind it when it gave a code.
 */
export async function reporting<Answer>(errors: AdapterErrors, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof NoAnswer) {
      throw MpiError.of([errors.noAnswer(cause.silence)], { cause });
    }
    if (cause instanceof Refusal) throw refusal(errors, cause);
    throw cause;
  }
}

function refusal(errors: AdapterErrors, cause: Refusal): MpiError {
  const { code, text, isFromExchange } = cause;
  const own = errors.refused({ code: code ?? "", text, original: originalError(code, text), isFromExchange });
  if (code === undefined || isFromExchange || errors.register === undefined)
    return MpiError.of([own], { cause });
  return MpiError.of([own, registerIssue(errors.register, code, text)], { cause });
}
