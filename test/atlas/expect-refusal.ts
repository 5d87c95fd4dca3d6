import { expect } from "vitest";
import {
  type CatalogueVersion,
  catalogueVersions,
  defaultErrorSystems,
  type Language,
  languages,
} from "../../src/errors/index.ts";
import type { Answer } from "./answer.ts";
import { expectationOf } from "./expectation.ts";
import type { Scenario, Way } from "./scenario.ts";
import { wordingOf } from "./wording.ts";

/** Who asks: in which version, in which language. */
export interface Reader {
  readonly version: CatalogueVersion;
  readonly language: Language;
}

const readers: readonly Reader[] = catalogueVersions.flatMap((version) =>
  languages.map((language) => ({ version, language })),
);

/** Those whose wishes the service could not read. */
const UNHEARD: Reader = { version: "1.5.0", language: "en" };

/** Everybody in whose name a scenario is asked: where nothing of the request is understood, all are alike. */
export function readersOf({ understood, version }: Scenario): readonly Reader[] {
  if (understood === "nothing") return [UNHEARD];
  return version === undefined ? readers : readers.filter((reader) => reader.version === version);
}

/** The reader that the service could make out. */
export function understoodReader({ understood }: Scenario, reader: Reader): Reader {
  return understood === undefined ? reader : { ...UNHEARD, language: reader.language };
}

/** One issue, and just what the specification says of it: the refusal of nothing else. */
export function expectRefusal(
  answer: Answer,
  way: Way,
  scenario: Scenario,
  { version, language }: Reader,
): void {
  const expected = expectationOf(scenario, version, way);
  const where = `${way}, ${version}, ${language}: ${JSON.stringify(answer)}`;
  expect(answer, where).toMatchObject({
    status: expected.status,
    issues: [
      {
        system: defaultErrorSystems.MPI,
        code: expected.code,
        severity: expected.severity,
        issueType: expected.issueType,
        expressions: expected.expressions,
      },
    ],
  });
  const [{ text, diagnostics } = { text: "", diagnostics: "" }] = answer.issues;
  const said = `${text} ${diagnostics}`;
  expect(said, where).not.toMatch(/\$\{|undefined|\[object/);
  for (const wording of wordingOf(scenario.meaning, version, language)) expect(said, where).toMatch(wording);
}
