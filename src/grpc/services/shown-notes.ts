import type { HandlerContext } from "@connectrpc/connect";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import { type ErrorSystems, type Fault, renderIssues } from "../../errors/index.ts";
import { callContextOf } from "../call-context.ts";

/** What a caller should know beside an answer, in the caller's language and contract version. */
export function shownNotes(notes: readonly Fault[], context: HandlerContext, systems: ErrorSystems): Issue[] {
  const { version, language } = callContextOf(context);
  return renderIssues(notes, { version, language, systems });
}
