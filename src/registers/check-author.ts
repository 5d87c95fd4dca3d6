import { fault, MpiError } from "../errors/index.ts";
import { isPersonalCode } from "../identifiers/index.ts";
import type { PopulationRegister } from "./ports.ts";
import { failingAs, isAbsentPerson } from "./register-chains.ts";

/** How the authors of requests are checked. */
export interface AuthorCheck {
  readonly population: PopulationRegister;
  /** The personal code that stands for nobody in particular; it is refused (MPI-063). */
  readonly anonymousCode: string;
}

/** The author, in x-author-id too, is the user whom this header names: another one was refused before. */
const BY_HEADER = { expression: ["http.x-road-userid"] };

/**
 * Refuses an author whose personal code is the anonymous one (MPI-063), is none (MPI-066), or is nobody's in the
 * population register (MPI-091, followed by the register's chain). A register that fails is MPI-029.
 */
export async function checkAuthor(
  { population, anonymousCode }: AuthorCheck,
  personalCode: string,
): Promise<void> {
  if (personalCode === anonymousCode) {
    throw new MpiError("AUTHOR_ANONYMOUS", { impersonal_code: anonymousCode }, BY_HEADER);
  }
  if (!isPersonalCode(personalCode)) {
    throw new MpiError("AUTHOR_PERSONAL_CODE_INVALID", { personalCode }, BY_HEADER);
  }
  await failingAs(["RR_INTEGRATION_FAILED"], async () => {
    try {
      await population.readPerson({ personalCode, noCache: false });
    } catch (error) {
      if (!isAbsentPerson(error)) throw error;
      throw MpiError.of([fault("AUTHOR_UNKNOWN_IN_RR", {}, BY_HEADER), ...error.issues], { cause: error });
    }
  });
}
