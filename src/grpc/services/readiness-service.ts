import type { ServiceImpl } from "@connectrpc/connect";
import type { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { MpiError } from "../../errors/index.ts";

/** ReadinessService on a question to the database that throws when it gets no answer. */
export function readinessService(askDatabase: () => Promise<void>): ServiceImpl<typeof ReadinessService> {
  return {
    async checkReadiness() {
      try {
        await askDatabase();
      } catch (cause) {
        throw new MpiError("SERVICE_UNAVAILABLE", {}, { cause });
      }
      return {};
    },
  };
}
