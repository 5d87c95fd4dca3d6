import { parametersByName } from "../definitions/operations.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { allInteractions } from "../routes/interactions.ts";

/** Every request that is registered, a table for each type. */
export function requestTables(): string {
  const byTitle = Map.groupBy(allInteractions(), titleOf);
  return [...byTitle].map(([title, interactions]) => `\n### ${title}\n\n${table(interactions)}`).join("\n");
}

/** Patient has so many operations that they stand apart. */
function titleOf({ resourceType, operation }: Interaction): string {
  if (resourceType === undefined) return "The interface as a whole";
  if (DEFINITIONS.has(resourceType)) return "Definitions";
  return resourceType === "Patient" && operation !== undefined ? "Operations on patients" : resourceType;
}

const DEFINITIONS: ReadonlySet<string> = new Set([
  "StructureDefinition",
  "OperationDefinition",
  "SearchParameter",
]);

/** Requests that differ by their method alone, such as the two of an operation, share a row. */
function table(interactions: readonly Interaction[]): string {
  const alike = Map.groupBy(interactions, ({ method, path, code, ...taken }) =>
    [path, code, code === "operation" ? "" : method, parametersOf(taken)].join(" "),
  );
  const rows = [...alike.values()].map(row);
  return ["| request | interaction | body | parameters |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function row([first, ...others]: readonly Interaction[]): string {
  if (first === undefined) return "";
  const all = [first, ...others];
  const methods = all.map(({ method }) => method).join(", ");
  const body = all.find((one) => one.body !== undefined)?.body ?? "";
  return `| ${methods} \`${shownPath(first.path)}\` | ${nameOf(first)} | ${body} | ${parametersOf(first)} |`;
}

function shownPath(path: string): string {
  return path === "" ? "/" : path.replace(/:(\w+)/g, "{$1}");
}

function nameOf({ code, otherCodes = [], conditional }: Interaction): string {
  return [code, ...otherCodes, ...(conditional ? ["conditional"] : [])].join(", ");
}

function parametersOf({ parameters, operation }: Pick<Interaction, "parameters" | "operation">): string {
  if (parameters !== "core") return named(parameters);
  return operation === undefined ? "search parameters" : named([...parametersByName(operation).keys()]);
}

function named(parameters: readonly string[]): string {
  return parameters.map((name) => `\`${name}\``).join(", ");
}
