import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import type { FhirJson } from "../fhir/index.ts";
import { linksJson } from "./links.ts";
import { outcomeEntries } from "./searchset.ts";

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
 * grade; then what the asker should know. Its self link (R5's invariant bdl-18) is the operation, whose question was in
 * the body.
 */
export function scoredSearchset(
  url: string,
  matches: readonly ScoredMatch[],
  issues: readonly Issue[],
): FhirJson {
  const entries = [...matches.map((match) => entryOf(url, match)), ...outcomeEntries(issues)];
  return {
    resourceType: "Bundle",
    type: "searchset",
    total: matches.length,
    link: linksJson([["self", `${url}/$match`]]),
    ...(entries.length > 0 && { entry: entries }),
  };
}

function entryOf(url: string, { resource, score, grade }: ScoredMatch): FhirJson {
  return {
    fullUrl: `${url}/${resource["id"]}`,
    resource,
    search: { extension: [{ url: MATCH_GRADE, valueCode: grade }], mode: "match", score },
  };
}
