import { MpiError } from "../../../src/errors/index.ts";
import { type Parameter, unfitParameter, unsuitableParameter } from "../../exchange/query.ts";
import type { WhatToShow } from "./stored-type.ts";

/** `_elements` and `_summary` say how much of a resource to show. */
export const elementParameterNames = ["_elements", "_summary"] as const;

/** What `_summary` asks for; nothing special when undefined. */
export type Summary = "count" | { readonly elements: readonly string[] } | undefined;

/** The elements that a read asks for; all when empty (MPI-015 when it cannot be understood). */
export function elementsOf(parameters: readonly Parameter[], type: WhatToShow): string[] {
  if (parameters.length === 0) return [];
  const summary = summaryOf(parameters, type);
  if (summary === "count") throw MpiError.of([unsuitableParameter("_summary")]);
  if (summary !== undefined) return [...summary.elements];
  const value = parameters.find(({ name }) => name === "_elements")?.value;
  return value === undefined ? [] : value.split(",").map((element) => element.trim());
}

/** Reads `_summary`; together with `_elements` it has no meaning and is refused (MPI-015). */
export function summaryOf(parameters: readonly Parameter[], type: WhatToShow): Summary {
  const value = parameters.find(({ name }) => name === "_summary")?.value;
  if (value === undefined || value === "false") return undefined;
  if (parameters.some(({ name }) => name === "_elements"))
    throw MpiError.of([unsuitableParameter("_summary")]);
  switch (value) {
    case "true":
      return { elements: type.summaryElements };
    case "text":
      // With what is required, which the core always shows.
      return { elements: ["text"] };
    case "data":
      // Everything but the text, which is not stored.
      return undefined;
    case "count":
      return "count";
    default:
      throw MpiError.of([unfitParameter({ name: "_summary", value })]);
  }
}
