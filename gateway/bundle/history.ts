import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import type { FhirJson } from "../fhir/index.ts";
import { operationOutcome } from "../outcome/operation-outcome.ts";
import { changeAuthor } from "./change-author.ts";
import { type Link, linksJson } from "./links.ts";

/** A version of a resource with how it came about. */
export interface HistoryEntry {
  /** Absolute URL of the resource, without the version. */
  readonly fullUrl: string;
  /** Undefined when the version says that it was deleted. */
  readonly resource?: FhirJson;
  readonly method: "POST" | "PUT" | "DELETE";
  /** Where the request went, relative to the base. */
  readonly url: string;
  readonly etag: string;
  /** FHIR instant. */
  readonly lastModified: string;
  /** Undefined where it is not known. */
  readonly author: Author | undefined;
  /** Why the version cannot be shown; none when it can. */
  readonly issues: readonly Issue[];
}

const statusOf = { POST: "201", PUT: "200", DELETE: "204" } as const;

/** Bundle of type history, of versions in the order given. */
export function historyBundle(
  entries: readonly HistoryEntry[],
  { total, links }: { readonly total: number; readonly links: readonly Link[] },
): FhirJson {
  return {
    resourceType: "Bundle",
    type: "history",
    total,
    link: linksJson(links),
    ...(entries.length > 0 && { entry: entries.map(entryJson) }),
  };
}

function entryJson(entry: HistoryEntry): FhirJson {
  const { fullUrl, resource, method, url, etag, lastModified, author, issues } = entry;
  if (issues.length > 0) {
    const response = { status: "500", etag, lastModified, outcome: operationOutcome(issues) };
    return { fullUrl, request: { method, url }, response };
  }
  return {
    ...(author && { extension: [changeAuthor(author)] }),
    fullUrl,
    ...(resource && { resource }),
    request: { method, url },
    response: { status: statusOf[method], etag, lastModified },
  };
}
