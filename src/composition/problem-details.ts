import { causesOf, expressionsOf, type MpiError } from "../errors/index.ts";

/** What the log has of a problem: the elements that it names, a patient by its id, and its codes; no values. */
export function problemDetails(error: MpiError): object {
  return { at: expressionsOf(error), causes: causesOf(error) };
}
