import { readFileSync } from "node:fs";
import { languages } from "../src/errors/index.ts";
import { resultParametersOf, searchParametersByType } from "./definitions/search-parameters.ts";
import { contracts } from "./exchange/contracts.ts";
import { bodyMediaTypes } from "./exchange/media-types.ts";
import { requestTables } from "./http-page/request-tables.ts";
import { documentationPaths } from "./routes/documentation.ts";
import { healthPaths } from "./routes/health.ts";

/** The sections of the page in the order in which a client needs them; `http-page/{name}.md` has the text of each. */
const SECTIONS = [
  "introduction",
  "headers",
  "requests",
  "answers",
  "searching",
  "conditional",
  "writing",
  "patches",
  "bundles",
  "histories",
  "operations",
  "errors",
  "limits",
];

/** What stands in the texts as `{{name}}`: made from what is registered. */
const MADE: Readonly<Record<string, () => string>> = {
  contracts: contractRows,
  languages: () => languages.map(quoted).join(" or "),
  "other-paths": otherPaths,
  bodies: bodyRows,
  requests: requestTables,
  "search-parameters": searchParameterRows,
  "result-parameters": resultParameterRows,
};

/** docs/http.md: what the FHIR interface offers, from the table of what is registered, and how it behaves. */
export function httpPage(): string {
  return SECTIONS.map(sectionText).join("\n");
}

function sectionText(name: string): string {
  const text = readFileSync(new URL(`./http-page/${name}.md`, import.meta.url), "utf8");
  return text.replace(/\{\{([a-z-]+)\}\}/g, (_, part: string) => {
    const made = MADE[part];
    if (made === undefined) throw new Error(`${name}.md names {{${part}}}, which nothing makes.`);
    return made();
  });
}

function contractRows(): string {
  return rows(contracts.map(({ basePath, version }) => [quoted(basePath), version]));
}

function otherPaths(): string {
  return [...Object.keys(healthPaths), ...documentationPaths].map(quoted).join(", ");
}

function bodyRows(): string {
  return rows(Object.entries(bodyMediaTypes).map(([kind, types]) => [kind, types.map(quoted).join(", ")]));
}

/** Patients first, whom most searches are for. */
const searchedTypes = Object.keys(searchParametersByType).toReversed();

function searchParameterRows(): string {
  return rows(
    searchedTypes.flatMap((type) =>
      (searchParametersByType[type] ?? []).map(({ name, type: kind, documentation }) => [
        type,
        quoted(name),
        kind,
        documentation.replaceAll("|", "\\|"),
      ]),
    ),
  );
}

/** The types that are shaped alike share a row. */
function resultParameterRows(): string {
  const typesByParameters = Map.groupBy(searchedTypes, (type) =>
    resultParametersOf(type).map(quoted).join(", "),
  );
  return rows([...typesByParameters].map(([parameters, types]) => [types.join(", "), parameters]));
}

function rows(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function quoted(text: string): string {
  return `\`${text}\``;
}
