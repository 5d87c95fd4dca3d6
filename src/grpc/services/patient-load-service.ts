import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type LoadedPatientSchema,
  LoadOutcome,
  type PatientLoadService,
} from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { type ErrorSystems, renderIssues } from "../../errors/index.ts";
import { type Loaded, loadPatients, type PatientIndex, type PatientLoader } from "../../patients/index.ts";
import { callContextOf } from "../call-context.ts";
import { answersInOrder } from "./answers-in-order.ts";

/** While the patients of one message are written, the next are checked and sealed. */
const AT_ONCE = 2;

/** PatientLoadService on the use case that stores many. */
export function patientLoadService(
  index: PatientIndex,
  loader: PatientLoader,
  systems: ErrorSystems,
): ServiceImpl<typeof PatientLoadService> {
  return {
    async *loadPatients(requests, context) {
      const counts = { stored: 0n, alreadyThere: 0n, refused: 0n };
      const batches = answersInOrder(requests, AT_ONCE, ({ patients }) =>
        loadPatients(index, loader, patients),
      );
      for await (const batch of batches) {
        for (const { outcome } of batch) counts[COUNTED[outcome]] += 1n;
        yield { results: batch.map((one) => resultOf(one, context, systems)), ...counts };
      }
    },
  };
}

const COUNTED = { stored: "stored", "already-there": "alreadyThere", refused: "refused" } as const;

function resultOf(
  loaded: Loaded,
  context: HandlerContext,
  systems: ErrorSystems,
): MessageInitShape<typeof LoadedPatientSchema> {
  if (loaded.outcome === "stored") return { outcome: LoadOutcome.STORED, id: String(loaded.id) };
  const { version, language } = callContextOf(context);
  return {
    outcome: loaded.outcome === "refused" ? LoadOutcome.REFUSED : LoadOutcome.ALREADY_THERE,
    issues: renderIssues(loaded.error.issues, { version, language, systems }),
  };
}
