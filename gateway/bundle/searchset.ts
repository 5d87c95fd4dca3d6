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
  const { parameters, page, pageSize, total } = found;
  const urlOf = pageUrls(found);
  const given = (name: string) => parameters.filter((parameter) => parameter.name === name);
  const [asked = numbered(page)] = given("_page");
  const self: Link = ["self", urlOf(...given("_count"), asked)];
  if (pageSize === 0) return [self];
  // Other pages are named with their size: it need not be the one that was asked for, nor stay the default.
  const size = { name: "_count", value: String(pageSize) };
  const pageUrl = (wanted: number) => urlOf(size, numbered(wanted));
  const last = Math.max(1, Math.ceil(total / pageSize));
  return [
    self,
    ["first", pageUrl(1)],
    ...(page > 1 ? [["previous", pageUrl(Math.min(page - 1, last))] as const] : []),
    ...(found.hasMore ? [["next", pageUrl(page + 1)] as const] : []),
    ["last", pageUrl(last)],
  ];
}

function numbered(page: number): Parameter {
  return { name: "_page", value: String(page) };
}

const PLACE: ReadonlySet<string> = new Set(["_count", "_page"]);

/** What was searched for is written once for all links. */
function pageUrls({ url, parameters }: SearchPage): (...place: readonly Parameter[]) => string {
  const criteria = writeParameters(parameters.filter(({ name }) => !PLACE.has(name)));
  const start = criteria === "" ? `${url}?` : `${url}?${criteria}&`;
  return (...place) => inOnePiece(start, writeParameters(place));
}
