import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import type { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import type { ErrorSystems, MpiError } from "../../errors/index.ts";
import { shownIssues } from "./shown-issues.ts";

/** A change as the use cases give it, without the resource. */
interface Change {
  readonly interaction: ChangeInteraction;
  readonly author?: Author;
  readonly publishedAt?: Date;
  readonly unreadable?: MpiError;
}

/** What every entry of a history or of a change feed says beside the resource. */
export function shownChange(
  { interaction, author, publishedAt, unreadable }: Change,
  context: HandlerContext,
  systems: ErrorSystems,
): { interaction: ChangeInteraction; author?: Author; publishedAt?: Timestamp; issues?: Issue[] } {
  return {
    interaction,
    ...(author && { author }),
    ...(publishedAt && { publishedAt: timestampFromDate(publishedAt) }),
    ...(unreadable && { issues: shownIssues(unreadable.issues, context, systems) }),
  };
}
