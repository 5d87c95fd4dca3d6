import { codedMeanings, type Meaning, referredMeaning, variantMeanings } from "./catalogue/catalogue.ts";
import {
  type CatalogueVersion,
  type CodedMeaning,
  catalogueVersions,
  type InVersion,
  type Language,
  languages,
  type Traits,
  type Variant,
} from "./catalogue/entry.ts";
import type { ErrorSystem } from "./error-systems.ts";
import { grpcStatusName } from "./grpc-status.ts";
import { httpStatusByGrpcStatus } from "./http-status.ts";
import { occurrences } from "./occurrences/index.ts";

/** The head of a table, and its rows of the same length. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const traitColumns = ["gRPC status", "HTTP", "Issue type"] as const;
const textHeads: Readonly<Record<Language, string>> = { et: "Eesti keeles", en: "In English" };
const textColumns = languages.map((language) => textHeads[language]);
const whereColumn = "Raised by";

/** Every meaning of an error system, by code. */
export function systemTable(system: ErrorSystem): Table {
  const entries = Object.entries(codedMeanings)
    .filter(([, entry]) => entry.system === system)
    .sort(([, one], [, other]) => byCode.compare(sortKey(one), sortKey(other)));
  return {
    head: [...catalogueVersions, "Meaning", ...traitColumns, ...textColumns, whereColumn],
    rows: entries.map(([meaning, entry]) => [
      ...catalogueVersions.map((version) => codeCell(entry, version)),
      code(meaning),
      ...traitCells(entry),
      ...languages.map((language) => textCell(entry, language)),
      whereCell(meaning as Meaning),
    ]),
  };
}

/** Every situation that is reported as this meaning. */
export function situationTable(reportedAs: string): Table {
  const entries = Object.entries(variantMeanings).filter(([, variant]) => variant.reportedAs === reportedAs);
  return {
    head: ["Meaning", ...traitColumns, ...textColumns, whereColumn],
    rows: entries.map(([meaning, variant]) => [
      code(meaning),
      ...traitCells(variant),
      ...languages.map((language) => detailCell(variant, language)),
      whereCell(meaning as Meaning),
    ]),
  };
}

/** The meanings that have situations of their own, in the order of the catalogue. */
export function meaningsWithSituations(): string[] {
  return [...new Set(Object.values(variantMeanings).map(({ reportedAs }) => reportedAs))];
}

/** Whether any of the situations reported as this meaning has a text of its own. */
export function haveDetails(reportedAs: string): boolean {
  return Object.values(variantMeanings).some(
    (variant) => variant.reportedAs === reportedAs && variant.detail,
  );
}

/** The code of a meaning in the newest version that has one. */
export function newestCode(meaning: string): string {
  return sortKey(referredMeaning(meaning));
}

const byCode = new Intl.Collator("en", { numeric: true });

function sortKey({ versions }: CodedMeaning): string {
  return (
    catalogueVersions.map((version) => ownCode(versions[version])).find((own) => own !== undefined) ?? ""
  );
}

function ownCode(held: InVersion): string | undefined {
  return "code" in held ? held.code : undefined;
}

function codeCell(entry: CodedMeaning, version: CatalogueVersion): string {
  const held = entry.versions[version];
  if ("code" in held) return held.code;
  const inChain = held.nearestInChain;
  const nearest = `→ ${codeIn(held.nearest, version)}`;
  return inChain === undefined ? nearest : `${nearest}, in a chain ${codeIn(inChain, version)}`;
}

function codeIn(meaning: string, version: CatalogueVersion): string {
  return ownCode(referredMeaning(meaning).versions[version]) ?? "";
}

function traitCells({ status, otherStatuses = [], issueType, severity, http }: Traits): string[] {
  const possible = [status, ...otherStatuses];
  const statuses = http === undefined ? possible.map((each) => httpStatusByGrpcStatus[each]) : [http];
  return [
    possible.map(grpcStatusName).join(", "),
    statuses.join(", "),
    severity === undefined ? issueType : `${issueType} (${severity})`,
  ];
}

function textCell(entry: CodedMeaning, language: Language): string {
  const worded = catalogueVersions.flatMap((version) => {
    const held = entry.versions[version];
    return "code" in held ? [{ version, text: held.texts[language] }] : [];
  });
  const [first] = worded;
  const differ = worded.some(({ text }) => text !== first?.text);
  const texts = differ ? worded.map(({ version, text }) => `${version}: ${text}`) : [first?.text ?? ""];
  return texts.map((text) => (entry.original ? `${text} ${originalMark}` : text)).join("<br>");
}

/** Stands for what the register said, which follows the text. */
const originalMark = "…";

function detailCell({ detail }: Variant, language: Language): string {
  return detail?.[language] ?? "";
}

function whereCell(meaning: Meaning): string {
  const occurrence = occurrences[meaning];
  if ("notRaised" in occurrence) return `Not raised. ${occurrence.notRaised}`;
  const { raisedBy, only } = occurrence;
  return only === undefined ? raisedBy : `${raisedBy} (${only} only)`;
}

function code(text: string): string {
  return `\`${text}\``;
}
