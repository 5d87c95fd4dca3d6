import type { HandlerContext } from "@connectrpc/connect";
import { type ErrorSystems, type MpiError, type RenderedError, renderError } from "../../errors/index.ts";
import type { Metrics } from "../../metrics/index.ts";
import { callContextOf } from "../calls/call-context.ts";
import { sizeLimitOf } from "../interceptors/errors.ts";
import type { FailureLog } from "../interceptors/telemetry/failure-log.ts";

export interface RefusingParts {
  /** The URIs of the error systems in this deployment. */
  readonly systems: ErrorSystems;
  readonly failures: FailureLog;
  /** Where refusals are counted, if they are. */
  readonly refusals: Metrics["refusals"] | undefined;
}

/**
 * What a part of a call is refused with, though the call as a whole is answered: in the same words as a call of its own
 * would be, with an entry of its own in the audit trail, and counted by its reason.
 */
export function refusedPart(
  error: MpiError,
  context: HandlerContext,
  { systems, failures, refusals }: RefusingParts,
): RenderedError {
  const { version, language, accesses } = callContextOf(context);
  const rendered = renderError(error, { version, language, systems }, sizeLimitOf(context));
  failures.note(rendered, error, context);
  accesses.noteRefusal(rendered.message);
  refusals?.inc({ reason: rendered.info.reason });
  return rendered;
}
