import type { ServiceImpl } from "@connectrpc/connect";
import type { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { underSignal } from "../../call/current-call.ts";
import { untilAborted } from "../../concurrency/until-aborted.ts";
import { MpiError } from "../../errors/index.ts";

/** A database that takes longer does no work either. */
const LONGEST_MS = 2_000;

/** ReadinessService on a question to the database that throws when it gets no answer. */
export function readinessService(
  askDatabase: () => Promise<void>,
  longestMs = LONGEST_MS,
): ServiceImpl<typeof ReadinessService> {
  return {
    async checkReadiness(_, { signal }) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
      try {
        await underSignal(limited, () => untilAborted(askDatabase()));
      } catch (cause) {
        throw new MpiError("SERVICE_UNAVAILABLE", {}, { cause });
      }
      return {};
    },
  };
}
