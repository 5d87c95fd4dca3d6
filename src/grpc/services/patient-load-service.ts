import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type LoadedPatientSchema,
  LoadOutcome,
  type PatientLoadService,
} from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { underAccesses } from "../../call/current-call.ts";
import { type Loaded, loadPatients, type PatientIndex, type PatientLoader } from "../../patients/index.ts";
import { answersInOrder } from "../streams/answers-in-order.ts";
import { UntilStopping } from "../streams/until-stopping.ts";
import { type RefusingParts, refusedPart } from "./refused-part.ts";

/** While the patients of one message are written, the next are checked and sealed. */
const AT_ONCE = 2;

/** PatientLoadService on the use case that stores many; `stopping` ends streams between messages when the service stops. */
export function patientLoadService(
  index: PatientIndex,
  loader: PatientLoader,
  refusing: RefusingParts,
  stopping: AbortSignal,
): ServiceImpl<typeof PatientLoadService> {
  return {
    async *loadPatients(requests, context) {
      const counts = { stored: 0n, alreadyThere: 0n, refused: 0n };
      const messages = new UntilStopping(requests, stopping);
      const batches = answersInOrder(messages.items, AT_ONCE, ({ patients }) =>
        // A stream may write without end, and its messages name no patients: the call need not remember them all.
        underAccesses(() => loadPatients(index, loader, patients)),
      );
      for await (const batch of batches) {
        for (const { outcome } of batch) counts[COUNTED[outcome]] += 1n;
        yield { results: batch.map((one) => resultOf(one, context, refusing)), ...counts };
      }
      messages.refuseTheRest();
    },
  };
}

const COUNTED = { stored: "stored", "already-there": "alreadyThere", refused: "refused" } as const;

function resultOf(
  loaded: Loaded,
  context: HandlerContext,
  refusing: RefusingParts,
): MessageInitShape<typeof LoadedPatientSchema> {
  if (loaded.outcome === "stored") return { outcome: LoadOutcome.STORED, id: loaded.patient.id ?? "" };
  const { issues, omittedIssues } = refusedPart(loaded.error, context, refusing).details;
  const outcome = loaded.outcome === "refused" ? LoadOutcome.REFUSED : LoadOutcome.ALREADY_THERE;
  return { outcome, issues, omittedIssues };
}
