import { type ErrorIssue, type Fault, fault, GrpcStatus, MpiError } from "../errors/index.ts";
import { RegisterFailure } from "./register-failure.ts";

/** The index's own issues for the registers that fail it. */
type IntegrationMeaning =
  | "LEGAL_CAPACITY_FAILED"
  | "DISABILITY_FAILED"
  | "RR_INTEGRATION_FAILED"
  | "SKA_INTEGRATION_FAILED"
  | "ADS_INTEGRATION_FAILED"
  | "TOR_INTEGRATION_FAILED"
  | "TK_INTEGRATION_FAILED";

const PERSON_ABSENT = "10027";

/**
 * Does what asks a register; its failure becomes the chain of registers.md: these issues of the index, then the
 * adapter's, then the register's. A person whom the population register does not know is no failure of the exchange:
 * that chain begins with MPI-089 (in 1.1.1 MPI-029). To the other registers its code for that means something else.
 */
export async function failingAs<Answer>(
  heads: readonly [IntegrationMeaning, ...IntegrationMeaning[]],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    if (heads.includes("RR_INTEGRATION_FAILED") && isAbsentPerson(cause))
      throw MpiError.of([fault("PERSON_ABSENT_FROM_RR"), ...cause.issues], { cause });
    if (!(cause instanceof RegisterFailure)) throw cause;
    const [first, ...others] = heads.map((meaning): Fault => fault(meaning, {}, statusOf(cause)));
    throw first ? MpiError.of([first, ...others, ...cause.issues], { cause }) : cause;
  }
}

/** Whether the population register says that it does not know the person. */
export function isAbsentPerson(error: unknown): error is RegisterFailure {
  return error instanceof RegisterFailure && error.issues.some(isAbsence);
}

function isAbsence(issue: ErrorIssue): boolean {
  return "code" in issue ? issue.code === PERSON_ABSENT : issue.meaning === "RR_PERSON_ABSENT";
}

function statusOf({ status }: RegisterFailure) {
  return status === GrpcStatus.UNAVAILABLE || status === GrpcStatus.DEADLINE_EXCEEDED ? { status } : {};
}
