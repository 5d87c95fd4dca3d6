import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientChangeSchema, type PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { type ErrorSystems, renderIssues } from "../../errors/index.ts";
import {
  createPatient,
  listPatientChanges,
  listPatientHistory,
  type PatientChange,
  type PatientIndex,
  readPatient,
  readPatientVersion,
  searchPatients,
  updatePatient,
} from "../../patients/index.ts";
import { callContextOf } from "../call-context.ts";
import { foundPage } from "./found-page.ts";
import { listRequest, searchParameters } from "./requests.ts";

/** PatientService on the use cases of patients. */
export function patientService(
  index: PatientIndex,
  systems: ErrorSystems,
): ServiceImpl<typeof PatientService> {
  return {
    async readPatient({ id, elements }) {
      return { patient: await readPatient(index, id, elements) };
    },
    async readPatientVersion({ id, versionId, elements }) {
      return { patient: await readPatientVersion(index, id, versionId, elements) };
    },
    async createPatient({ patient }) {
      return { patient: await createPatient(index, patient ?? noPatient()) };
    },
    async updatePatient({ id, patient }) {
      return { patient: await updatePatient(index, id, patient ?? noPatient()) };
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
      const found = await searchPatients(index, searchParameters(request), request.lenient);
      return { patients: found.patients, ...foundPage(found, context, systems) };
    },
  };
}

function noPatient(): Patient {
  return create(PatientSchema);
}

function patientChange(
  { patient, interaction, author, publishedAt, unreadable }: PatientChange,
  context: HandlerContext,
  systems: ErrorSystems,
) {
  const { version, language } = callContextOf(context);
  return create(PatientChangeSchema, {
    patient,
    interaction,
    ...(author && { author }),
    ...(publishedAt && { publishedAt: timestampFromDate(publishedAt) }),
    ...(unreadable && { issues: renderIssues(unreadable.issues, { version, language, systems }) }),
  });
}
