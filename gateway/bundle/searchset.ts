import { randomUUID } from "node:crypto";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import { type Parameter, writeParameters } from "../exchange/query.ts";
import { type FhirJson, inOnePiece } from "../fhir/index.ts";
import { operationOutcome } from "../outcome/operation-outcome.ts";
import { type Link, linksJson } from "./links.ts";

/** A page of a search, ready to be shown. */
export interface SearchPage {
  /** Where the search was, such as https://mpi.example.ee/fhir/Patient. */
  readonly url: string;
  /** The parameters that were used. */
  readonly parameters: readonly Parameter[];
  readonly total: number;
  /** From 1, of pages of this size. */
  readonly page: number;
  /** What was asked for, or less where the page ended early; 0 when only the total was asked for. */
  readonly pageSize: number;
  readonly hasMore: boolean;
  /** Resources with their ids. */
  readonly matches: readonly FhirJson[];
  /** What the searcher should know. */
  readonly issues: readonly Issue[];
}

/** Bundle of type searchset: the matches, then what the searcher should know as an OperationOutcome. */
export function searchset(found: SearchPage): FhirJson {
  return linkedSearchset(found, pageLinks(found), (id) => inOnePiece(found.url, "/", id));
}

/** The same with links and full URLs of whatever form those of the search have. */
export function linkedSearchset(
  { total, matches, issues }: Pick<SearchPage, "total" | "matches" | "issues">,
  links: readonly Link[],
  fullUrlOf: (id: string) => string,
): FhirJson {
  const entries = [...matches.map((match) => matchEntry(match, fullUrlOf)), ...outcomeEntries(issues)];
  return {
    resourceType: "Bundle",
    type: "searchset",
    total,
    link: linksJson(links),
    ...(entries.length > 0 && { entry: entries }),
  };
}

function matchEntry(resource: FhirJson, fullUrlOf: (id: string) => string): FhirJson {
  return { fullUrl: fullUrlOf(String(resource["id"])), resource, search: { mode: "match" } };
}

/** What the searcher should know, behind the matches. */
export function outcomeEntries(issues: readonly Issue[]): FhirJson[] {
  if (issues.length === 0) return [];
  const fullUrl = `urn:uuid:${randomUUID()}`;
  return [{ fullUrl, resource: operationOutcome(issues), search: { mode: "outcome" } }];
}

function pageLinks(found: SearchPage): Link[] {
  const { url, parameters, page, pageSize, total } = found;
  const asked = parameters.find(({ name }) => name === "_page")?.value ?? String(page);
  const self: Link = ["self", pageUrls(url, parameters)(asked)];
  if (pageSize === 0) return [self];
  const urlOf = pageUrls(url, [...without(parameters, "_count"), sized(pageSize)]);
  const last = Math.max(1, Math.ceil(total / pageSize));
  return [
    self,
    ["first", urlOf(1)],
    ...(page > 1 ? [["previous", urlOf(Math.min(page - 1, last))] as const] : []),
    ...(found.hasMore ? [["next", urlOf(page + 1)] as const] : []),
    ["last", urlOf(last)],
  ];
}

/** Other pages are named with their size: it need not be the one that was asked for, nor stay the default. */
function sized(pageSize: number): Parameter {
  return { name: "_count", value: String(pageSize) };
}

/** The parameters are written once for all pages. */
function pageUrls(url: string, parameters: readonly Parameter[]): (page: number | string) => string {
  const written = writeParameters(without(parameters, "_page"));
  const start = written === "" ? `${url}?` : `${url}?${written}&`;
  return (page) => inOnePiece(start, "_page=", String(page));
}

function without(parameters: readonly Parameter[], left: "_count" | "_page"): readonly Parameter[] {
  return parameters.filter(({ name }) => name !== left);
}
