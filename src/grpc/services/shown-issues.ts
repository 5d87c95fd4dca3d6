import type { HandlerContext } from "@connectrpc/connect";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import { type ErrorIssue, type ErrorSystems, renderIssues } from "../../errors/index.ts";
import { callContextOf } from "../calls/call-context.ts";

/** Issues that are a part of an answer, such as notes beside it, in the caller's language and contract version. */
export function shownIssues(
  issues: readonly ErrorIssue[],
  context: HandlerContext,
  systems: ErrorSystems,
): Issue[] {
  const { version, language } = callContextOf(context);
  return renderIssues(issues, { version, language, systems });
}
