import { type Parameter, writeParameters } from "../exchange/query.ts";
import type { FhirJson } from "../fhir/index.ts";

/** A Bundle.link: its relation and where it leads. */
export type Link = readonly [relation: "self" | "first" | "previous" | "next" | "last", url: string];

export function linksJson(links: readonly Link[]): FhirJson[] {
  return links.map(([relation, url]) => ({ relation, url }));
}

/**
 * The links of a page that has no number but a place where the one before it ended: `_page` is the token of that, and
 * the token of the next page is empty where there is none.
 */
export function linksByToken(
  url: string,
  parameters: readonly Parameter[],
  nextPageToken: string,
): [self: Link, ...others: Link[]] {
  const first = parameters.filter(({ name }) => name !== "_page");
  const next = nextPageToken === "" ? [] : [[...first, { name: "_page", value: nextPageToken }]];
  return [
    ["self", addressOf(url, parameters)],
    ["first", addressOf(url, first)],
    ...next.map((shown): Link => ["next", addressOf(url, shown)]),
  ];
}

function addressOf(url: string, parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? url : `${url}?${writeParameters(parameters)}`;
}
