import type { Fault } from "../../../src/errors/index.ts";
import { givenValue, type Parameter, unfitParameter, unsuitableParameter } from "../../exchange/query.ts";
import type { WhatToShow } from "./stored-type.ts";

/** `_elements` and `_summary` say how much of a resource to show. */
export const elementParameterNames = ["_elements", "_summary"] as const;

/** What `_summary` asks for; nothing special when undefined. */
export type Summary = "count" | { readonly elements: readonly string[] } | undefined;

const SUMMARIES: readonly string[] = ["true", "text", "data", "count", "false"];

/** The elements that a read asks for; all when empty. */
export function elementsOf(parameters: readonly Parameter[], type: WhatToShow): string[] {
  const summary = summaryOf(parameters, type);
  if (typeof summary === "object") return [...summary.elements];
  const value = givenValue(parameters, "_elements");
  return value === undefined ? [] : value.split(",").map((element) => element.trim());
}

/** What is wrong with `_summary` of a read, which has nothing to count. */
export function faultsOfRead(parameters: readonly Parameter[]): readonly Fault[] {
  const faults = faultsOfSummary(parameters);
  const counts =
    faults.length === 0 && parameters.some(({ name, value }) => name === "_summary" && value === "count");
  return counts ? [unsuitableParameter("_summary")] : faults;
}

/** What is wrong with `_summary`; together with `_elements` it has no meaning (MPI-015). */
export function faultsOfSummary(parameters: readonly Parameter[]): readonly Fault[] {
  const given = parameters.find(({ name }) => name === "_summary");
  if (!given || given.value === "false") return [];
  const unfit = SUMMARIES.includes(given.value) ? [] : [unfitParameter(given)];
  if (!parameters.some(({ name }) => name === "_elements")) return unfit;
  const together = unsuitableParameter("_summary");
  return [...unfit.filter(({ meaning }) => meaning !== together.meaning), together];
}

/** What `_summary` asks for, once nothing is wrong with it. */
export function summaryOf(parameters: readonly Parameter[], type: WhatToShow): Summary {
  switch (givenValue(parameters, "_summary")) {
    case "true":
      return { elements: type.summaryElements };
    case "text":
      // With what is required, which the core always shows.
      return { elements: ["text"] };
    case "count":
      return "count";
    default:
      // With `data` everything but the text, which is not stored.
      return undefined;
  }
}
