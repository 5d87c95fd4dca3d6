import { defaultErrorSystems, renderIssues } from "../../src/errors/index.ts";
import { RegisterFailure } from "../../src/registers/ports.ts";

export { GrpcStatus } from "../../src/errors/index.ts";

/** The codes of a chain, in its order. */
export function issueCodes({ issues }: RegisterFailure): string[] {
  const shown = renderIssues(issues, { version: "1.5.0", language: "en", systems: defaultErrorSystems });
  return shown.map(({ code }) => code);
}

/** The failure of work that a register must fail. */
export async function failureOf(work: Promise<unknown>): Promise<RegisterFailure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RegisterFailure)) throw new Error(`No RegisterFailure, but ${error}`);
  return error;
}
