import type { Meaning } from "./catalogue/catalogue.ts";
import { codedMeanings } from "./catalogue/catalogue.ts";
import { catalogueVersions } from "./catalogue/entry.ts";
import type { ErrorSystem, ErrorSystems } from "./error-systems.ts";
import { type ErrorIssue, type ErrorIssues, type Fault, isFault, type MirroredIssue } from "./fault.ts";
import { toldCode } from "./told-code.ts";

/**
 * The issues as they may be kept: what they mean and where, without the values that they speak of. One of another service is
 * kept by the meaning of its code, or by the code alone, since its own text may hold values: what it calls a code too, if
 * that is a text.
 */
export function withoutValues(issues: ErrorIssues, systems: ErrorSystems): ErrorIssues {
  const [first, ...others] = issues;
  return [bare(first, systems), ...others.map((issue) => bare(issue, systems))];
}

function bare(issue: ErrorIssue, systems: ErrorSystems): ErrorIssue {
  const severity = issue.severity && { severity: issue.severity };
  const meaning = isFault(issue) ? issue.meaning : meaningOf(issue, systems);
  const expression = isFault(issue) && issue.expression && { expression: issue.expression };
  if (meaning !== undefined)
    return { meaning, parameters: {}, ...severity, ...expression } as unknown as Fault;
  const { system, code } = issue as MirroredIssue;
  return { system: toldCode(system), code: toldCode(code), text: "", ...severity };
}

function meaningOf({ system, code }: MirroredIssue, systems: ErrorSystems): Meaning | undefined {
  const [name] = Object.entries(systems).find(([name, uri]) => system === uri || system === name) ?? [];
  return name === undefined ? undefined : meaningsByCode.get(keyOf(name, code));
}

function keyOf(system: string, code: string): string {
  return `${system} ${code}`;
}

// The index's own codes change their meaning between versions; it mirrors none of them.
const meaningsByCode: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(codedMeanings)
    .filter(([, { system }]) => system !== ("MPI" satisfies ErrorSystem))
    .flatMap(([meaning, { system, versions }]) =>
      catalogueVersions.flatMap((version) => {
        const held = versions[version];
        return "code" in held ? [[keyOf(system, held.code), meaning as Meaning] as const] : [];
      }),
    ),
);
