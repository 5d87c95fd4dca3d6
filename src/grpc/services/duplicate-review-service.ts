import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type DuplicateReviewService,
  DuplicateState,
  PossibleDuplicateSchema,
} from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { MpiError } from "../../errors/index.ts";
import {
  confirmDuplicate,
  type DuplicateReview,
  dismissDuplicate,
  listDuplicates,
  type PossibleDuplicate,
} from "../../matching/index.ts";
import { callContextOf } from "../calls/call-context.ts";
import { gradeMessage } from "./matching-service.ts";

const STATES = {
  open: DuplicateState.OPEN,
  dismissed: DuplicateState.DISMISSED,
  confirmed: DuplicateState.CONFIRMED,
} as const;

type State = keyof typeof STATES;

/** DuplicateReviewService on the use cases of the review. */
export function duplicateReviewService(review: DuplicateReview): ServiceImpl<typeof DuplicateReviewService> {
  return {
    async listPossibleDuplicates({ state, pageSize, pageToken }) {
      const request = { state: stateOf(state), pageSize, pageToken };
      const { duplicates, nextPageToken, total } = await listDuplicates(review, request);
      return { duplicates: duplicates.map(duplicateMessage), nextPageToken, totalSize: BigInt(total) };
    },
    async dismissPossibleDuplicate({ patientId, otherId }) {
      return { duplicate: duplicateMessage(await dismissDuplicate(review, patientId, otherId)) };
    },
    async confirmPossibleDuplicate({ sourceId, targetId }, context) {
      const { version } = callContextOf(context);
      return { target: await confirmDuplicate(review, sourceId, targetId, version) };
    },
  };
}

/** The open ones when not said; a number of no state is refused, not read as that (MPI-096). */
function stateOf(state: DuplicateState): State {
  if (state === DuplicateState.UNSPECIFIED) return "open";
  const [known] = Object.entries(STATES).find(([, message]) => message === state) ?? [];
  if (known === undefined) {
    throw new MpiError("PARAMETER_MALFORMED", { param: "state" }, { expression: ["state"] });
  }
  return known as State;
}

function duplicateMessage({ id, otherId, score, grade, state, foundAt, reviewedAt }: PossibleDuplicate) {
  return create(PossibleDuplicateSchema, {
    patientId: String(id),
    otherId: String(otherId),
    score,
    grade: gradeMessage(grade),
    state: STATES[state],
    foundAt: timestampFromDate(foundAt),
    ...(reviewedAt && { reviewedAt: timestampFromDate(reviewedAt) }),
  });
}
