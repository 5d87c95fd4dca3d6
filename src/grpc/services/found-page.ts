import type { HandlerContext } from "@connectrpc/connect";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import type { ErrorSystems, Fault } from "../../errors/index.ts";
import { searchPageToken } from "./searching.ts";
import { shownIssues } from "./shown-issues.ts";

/** A page of matches as the use cases give it, without the matches. */
interface Page {
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly hasMore: boolean;
  readonly notes: readonly Fault[];
}

/** What the answer of every search says beside the matches. */
export function foundPage(
  found: Page,
  context: HandlerContext,
  systems: ErrorSystems,
): { nextPageToken: string; totalSize: bigint; pageSize: number; page: number; issues: Issue[] } {
  return {
    nextPageToken: found.hasMore ? searchPageToken(found.page + 1, found.pageSize) : "",
    totalSize: BigInt(found.total),
    pageSize: found.pageSize,
    page: found.page,
    issues: shownIssues(found.notes, context, systems),
  };
}
