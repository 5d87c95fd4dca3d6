import { defaultErrorSystems, renderIssues } from "../../src/errors/index.ts";
import type { RegisterFailure } from "../../src/registers/ports.ts";

export { GrpcStatus } from "../../src/errors/index.ts";

/** The codes of a chain, in its order. */
export function issueCodes({ issues }: RegisterFailure): string[] {
  const shown = renderIssues(issues, { version: "1.5.0", language: "en", systems: defaultErrorSystems });
  return shown.map(({ code }) => code);
}
