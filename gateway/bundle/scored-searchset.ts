import type { FhirJson } from "../fhir/index.ts";
import { linksJson } from "./links.ts";

/** A resource with how sure it is that it was meant. */
export interface ScoredMatch {
  readonly resource: FhirJson;
  /** 0 to 1. */
  readonly score: number;
  /** A code of http://hl7.org/fhir/ValueSet/match-grade. */
  readonly grade: string;
}

const MATCH_GRADE = "http://hl7.org/fhir/StructureDefinition/match-grade";

/**
 * Bundle of type searchset with the answer of $match of the type at `url`: the most likely first, each with score and
 * grade. Its self link (R5's invariant bdl-18) is the operation, whose question was in the body.
 */
export function scoredSearchset(url: string, matches: readonly ScoredMatch[]): FhirJson {
  return {
    resourceType: "Bundle",
    type: "searchset",
    total: matches.length,
    link: linksJson([["self", `${url}/$match`]]),
    ...(matches.length > 0 && { entry: matches.map((match) => entryOf(url, match)) }),
  };
}

function entryOf(url: string, { resource, score, grade }: ScoredMatch): FhirJson {
  return {
    fullUrl: `${url}/${resource["id"]}`,
    resource,
    search: { extension: [{ url: MATCH_GRADE, valueCode: grade }], mode: "match", score },
  };
}
