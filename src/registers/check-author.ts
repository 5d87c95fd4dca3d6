import { fault, MpiError } from "../errors/index.ts";
import { isPersonalCode } from "../identifiers/index.ts";
import type { PopulationRegister } from "./ports.ts";
import { failedRegister, isAbsentPerson } from "./register-chains.ts";

/** How the authors of requests are checked. */
export interface AuthorCheck {
  readonly population: PopulationRegister;
  /** The personal code that stands for nobody in particular; it is refused (MPI-063). */
  readonly anonymousCode: string;
}

/**
 * Refuses an author whose personal code is the anonymous one (MPI-063), is none (MPI-066), or is nobody's in the
 * population register (MPI-091, followed by the register's chain). A register that fails is MPI-029.
 */
export async function checkAuthor(
  { population, anonymousCode }: AuthorCheck,
  personalCode: string,
): Promise<void> {
  if (personalCode === anonymousCode) {
    throw new MpiError("AUTHOR_ANONYMOUS", { impersonal_code: anonymousCode });
  }
  if (!isPersonalCode(personalCode)) throw new MpiError("AUTHOR_PERSONAL_CODE_INVALID", { personalCode });
  await failedRegister(["RR_INTEGRATION_FAILED"], async () => {
    try {
      await population.readPerson({ personalCode, noCache: false });
    } catch (error) {
      if (!isAbsentPerson(error)) throw error;
      throw MpiError.of([fault("AUTHOR_UNKNOWN_IN_RR"), ...error.issues], { cause: error });
    }
  });
}
