import {
  codedMeanings,
  type Meaning,
  type OtherStatusOf,
  type ParametersOf,
  type PlaceholderOf,
} from "./catalogue/catalogue.ts";
import { catalogueVersions, type IssueType, type Severity } from "./catalogue/entry.ts";
import type { ErrorSystem } from "./error-systems.ts";
import { toldCode } from "./told-code.ts";

/** What may be said of a fault beside its meaning. */
export interface FaultOptions<M extends Meaning = Meaning> {
  /** FHIRPath of each element at fault, such as `Patient.name[0].use`. */
  readonly expression?: readonly string[];
  /** Instead of the severity of the catalogue: the same meaning can fail one call and only warn in another. */
  readonly severity?: Severity;
  /** Instead of the status of the catalogue, where the entry leaves a choice: a register out of reach, or late. */
  readonly status?: OtherStatusOf<M>;
}

/** One thing that is wrong, by its meaning: version and language come later, in rendering. */
export type Fault<M extends Meaning = Meaning> = M extends Meaning
  ? { readonly meaning: M; readonly parameters: ParametersOf<M> } & FaultOptions<M>
  : never;

/** An error of another service, shown as it came. */
export interface MirroredIssue {
  /** The error system by its name here, or by its URI when a service already gave that. */
  readonly system: ErrorSystem | (string & {});
  readonly code: string;
  readonly text: string;
  /** `exception` when not said. */
  readonly issueType?: IssueType | (string & {});
  /** `error` when not said. */
  readonly severity?: Severity;
}

export type ErrorIssue = Fault | MirroredIssue;

/** At least one issue, in the order in which a reader should meet them. */
export type ErrorIssues = readonly [ErrorIssue, ...ErrorIssue[]];

/** Parameters are left out only where the texts have no placeholders. */
export type FaultArguments<M extends Meaning, Options> = [PlaceholderOf<M>] extends [never]
  ? [parameters?: ParametersOf<M>, options?: Options]
  : [parameters: ParametersOf<M>, options?: Options];

/** A fault with its parameters demanded by the texts of its meaning. */
export function fault<M extends Meaning>(meaning: M, ...rest: FaultArguments<M, FaultOptions<M>>): Fault<M> {
  const [parameters, options] = rest;
  return { meaning, parameters: parameters ?? {}, ...options } as Fault<M>;
}

export function isFault(issue: ErrorIssue): issue is Fault {
  return "meaning" in issue;
}

/**
 * The error of a register, last in a chain: in the register's own words, as they came; by the meaning of its code
 * when it said nothing more.
 */
export function registerIssue(system: ErrorSystem, code: string, text: string): ErrorIssue {
  return text.trim() === "" ? registerCodeIssue(system, code) : { system, code, text };
}

/** What the catalogue says of a register's code; the code alone when it does not have it. */
export function registerCodeIssue(system: ErrorSystem, code: string): ErrorIssue {
  const meaning = registerMeanings.get(`${system} ${code}`);
  return meaning === undefined ? { system, code, text: code } : ({ meaning, parameters: {} } as Fault);
}

/** What an adapter's issue says of the register's: parameter `original` of the codes that are followed by it. */
export function originalError(code: string | undefined, text: string): string {
  return code === undefined ? text : `${code} - ${text}`;
}

const registerMeanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(codedMeanings)
    .filter(([, entry]) => isOfRegister(entry.system))
    .flatMap(([meaning, entry]) =>
      catalogueVersions.flatMap((version) => {
        const held = entry.versions[version];
        return "code" in held ? [[`${entry.system} ${held.code}`, meaning as Meaning] as const] : [];
      }),
    ),
);

/** Whether the codes of a system are a register's own, rather than those of the index or of an adapter. */
function isOfRegister(system: ErrorSystem): boolean {
  return system !== "MPI" && !system.startsWith("XROAD_");
}

/** The name of an issue for logs: no text, no value. */
export function issueName(issue: ErrorIssue): string {
  return isFault(issue) ? issue.meaning : `${toldCode(issue.system)} ${toldCode(issue.code)}`;
}
