import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import {
  type CreatedPatient,
  CreatedPatientSchema,
  PatientChangeSchema,
  type PatientService,
} from "#proto/patientindex/v1/patient_service_pb.ts";
import { type ErrorSystems, MpiError, rpcStatusOf } from "../../errors/index.ts";
import { blankMessages } from "../../messages/index.ts";
import {
  createPatient,
  createPatients,
  listPatientChanges,
  listPatientHistory,
  type PatientChange,
  type PatientIndex,
  type PatientLoader,
  patientsMeant,
  readPatient,
  readPatientVersion,
  searchPatients,
  updatePatient,
} from "../../patients/index.ts";
import { foundPage } from "./found-page.ts";
import { type RefusingParts, refusedPart } from "./refused-part.ts";
import { listRequest } from "./requests.ts";
import { searching } from "./searching.ts";
import { shownChange } from "./shown-change.ts";

const blankPatient = blankMessages(PatientSchema);

/** PatientService on the use cases of patients. */
export function patientService(
  index: PatientIndex,
  loader: PatientLoader,
  refusing: RefusingParts,
): ServiceImpl<typeof PatientService> {
  const { systems } = refusing;
  return {
    async readPatient({ id, elements }) {
      return { patient: await readPatient(index, id, elements) };
    },
    async readPatientVersion({ id, versionId, elements }) {
      return { patient: await readPatientVersion(index, id, versionId, elements) };
    },
    async createPatient({ patient }) {
      return { patient: await createPatient(index, patient ?? blankPatient()) };
    },
    async createPatients({ patients, identityOnly }, context) {
      const created = await createPatients(index, loader, patients, identityOnly);
      return { results: created.map((one) => createdPatient(one, context, refusing)) };
    },
    async updatePatient({ id, patient }) {
      return { patient: await updatePatient(index, id, patient ?? blankPatient()) };
    },
    async listPatientHistory({ id, ...request }, context) {
      const { changes, total, nextPageToken } = await listPatientHistory(index, id, listRequest(request));
      return {
        changes: changes.map((change) => patientChange(change, context, systems)),
        totalSize: BigInt(total),
        nextPageToken,
      };
    },
    async listPatientChanges(request, context) {
      const { changes, total, nextPageToken, hasMore } = await listPatientChanges(
        index,
        listRequest(request),
      );
      return {
        changes: changes.map((change) => patientChange(change, context, systems)),
        totalSize: BigInt(total),
        nextPageToken,
        hasMore,
      };
    },
    async searchPatients(request, context) {
      const found = await searching(request, (parameters) =>
        request.condition
          ? patientsMeant(index, parameters)
          : searchPatients(index, parameters, request.lenient),
      );
      return { patients: found.patients, ...foundPage(found, context, systems) };
    },
  };
}

function createdPatient(
  created: Patient | MpiError,
  context: HandlerContext,
  refusing: RefusingParts,
): CreatedPatient {
  const result: CreatedPatient["result"] =
    created instanceof MpiError
      ? { case: "refusal", value: rpcStatusOf(refusedPart(created, context, refusing)) }
      : { case: "patient", value: created };
  return create(CreatedPatientSchema, { result });
}

function patientChange(
  { patient, ...change }: PatientChange,
  context: HandlerContext,
  systems: ErrorSystems,
) {
  return create(PatientChangeSchema, { patient, ...shownChange(change, context, systems) });
}
