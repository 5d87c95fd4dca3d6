import type { FhirJson } from "../fhir/index.ts";
import { canonical, DEFINITION_VERSION, type Definition, nameOf } from "./definition.ts";
import { type SearchParameterEntry, searchParametersByType } from "./search-parameters.ts";

/** The SearchParameters of every type. A chained parameter is told with the one that it begins with. */
export function searchParameterDefinitions(): Definition[] {
  return Object.entries(searchParametersByType).flatMap(([type, entries]) =>
    entries
      .filter(({ name }) => !name.includes("."))
      .map((entry) => searchParameterDefinition(type, entry, entries)),
  );
}

/** The canonical URL of the definition of a parameter; of a chained one there is none. */
export function searchParameterUrl(type: string, name: string): string | undefined {
  return name.includes(".") ? undefined : canonical("SearchParameter", idOf(type, name));
}

function idOf(type: string, name: string): string {
  return `${type}-${name.replace(/^_/, "")}`;
}

function searchParameterDefinition(
  type: string,
  { name, type: kind, documentation, expression, derivedFrom }: SearchParameterEntry,
  all: readonly SearchParameterEntry[],
): Definition {
  const id = idOf(type, name);
  const url = canonical("SearchParameter", id);
  const chain = all.flatMap((other) =>
    other.name.startsWith(`${name}.`) ? [other.name.slice(name.length + 1)] : [],
  );
  const json: FhirJson = {
    resourceType: "SearchParameter",
    id,
    url,
    version: DEFINITION_VERSION,
    name: nameOf(id),
    ...(derivedFrom !== undefined && { derivedFrom }),
    status: "active",
    description: documentation,
    code: name,
    base: [type],
    type: kind,
    ...(expression !== undefined && { expression, processingMode: "normal" }),
    ...(kind === "reference" && { target: ["Patient"] }),
    ...(kind === "date" && { comparator: ["eq", "ne", "gt", "ge", "lt", "le", "sa", "eb"] }),
    ...(chain.length > 0 && { modifier: ["identifier"], chain }),
  };
  return { id, json, criteria: { _id: [id], url: [url], code: [name], base: [type] } };
}
