import { type Fault, MpiError } from "../../errors/index.ts";

/**
 * Does what resolves the addresses of a patient. When it fails, the identifiers that others have (`taken`) are told as
 * well; alone when the registry is away, for a patient who is there already is not to be sent once more.
 */
export async function besideTaken<Result>(
  resolve: () => Promise<Result>,
  taken: () => Promise<Fault[]>,
): Promise<Result> {
  try {
    return await resolve();
  } catch (error) {
    if (!(error instanceof MpiError)) throw error;
    const [first, ...others] = await taken();
    if (!first) throw error;
    const isAway = error.says("ADS_INTEGRATION_FAILED");
    throw MpiError.of(isAway ? [first, ...others] : [...error.issues, first, ...others], { cause: error });
  }
}
