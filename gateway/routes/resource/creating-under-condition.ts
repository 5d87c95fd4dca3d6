import { create } from "@bufbuild/protobuf";
import { TransactionEntrySchema } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { outOfBundleEntry } from "../../../src/errors/index.ts";
import { withRelativeReferences } from "../../../src/references/index.ts";
import { present, type StoredResource } from "../../exchange/answer.ts";
import { beginCaptured } from "../../exchange/begin-captured.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import type { Parameter } from "../../exchange/query.ts";
import { namedAnew } from "../../outcome/named-anew.ts";
import type { StoredType } from "./stored-type.ts";

/** What is stored then, and whether it is what was given. */
export interface Stored<Resource> {
  readonly resource: Resource;
  readonly isNew: boolean;
}

/**
 * Stores a new resource where none fits the criteria, as a transaction of the core: that looks at them under the lock
 * of the patient whom the resource lies with, so that of two who do this at once the second finds what the first stored.
 */
export async function createUnderCondition<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  given: Resource,
  criteria: readonly Parameter[],
): Promise<Stored<Resource>> {
  const { core, transport } = request.gateway;
  const capturing = { transport, interaction: `POST /${type.name}` };
  const { call: captured, answer } = await beginCaptured(capturing, (capturingCore) =>
    type.calls.create(capturingCore, given, request.call),
  );
  const call = present(captured);
  const entry = create(TransactionEntrySchema, {
    criteria: withRelativeReferences(criteria, request),
    literalReferences: true,
    request: call.request,
  });
  const { results } = await core.transactions
    .processTransaction({ entries: [entry] }, request.call)
    .catch((error: unknown) => {
      throw namedAnew(error, outOfBundleEntry(type.name));
    });
  const { response } = present(results[0]);
  call.settle(response);
  return { resource: present(await answer), isNew: response.case === call.request.case };
}
