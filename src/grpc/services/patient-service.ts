import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import {
  PatientChangeSchema,
  type PatientService,
  type SearchPatientsRequest,
} from "#proto/patientindex/v1/patient_service_pb.ts";
import { type SearchParameter, SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
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
import type { ListRequest } from "../../resources/index.ts";
import { callContextOf } from "../call-context.ts";

/** PatientService on the use cases of patients. */
export function patientService(
  index: PatientIndex,
  systems: ErrorSystems,
): ServiceImpl<typeof PatientService> {
  return {
    async readPatient({ id, elements }) {
      return { patient: await readPatient(index, id, elements) };
    },
    async readPatientVersion({ id, versionId }) {
      return { patient: await readPatientVersion(index, id, versionId) };
    },
    async createPatient({ patient }) {
      return { patient: await createPatient(index, patient ?? noPatient()) };
    },
    async updatePatient({ id, patient }) {
      return { patient: await updatePatient(index, id, patient ?? noPatient()) };
    },
    async listPatientHistory({ id, ...request }) {
      const { changes, total, nextPageToken } = await listPatientHistory(index, id, listRequest(request));
      return { changes: changes.map(patientChange), totalSize: BigInt(total), nextPageToken };
    },
    async listPatientChanges(request) {
      const { changes, total, nextPageToken, hasMore } = await listPatientChanges(
        index,
        listRequest(request),
      );
      return { changes: changes.map(patientChange), totalSize: BigInt(total), nextPageToken, hasMore };
    },
    async searchPatients(request, context) {
      const found = await searchPatients(index, searchParameters(request), request.lenient);
      const { version, language } = callContextOf(context);
      return {
        patients: found.patients,
        nextPageToken: found.hasMore ? String(found.page + 1) : "",
        totalSize: BigInt(found.total),
        pageSize: found.pageSize,
        page: found.page,
        issues: renderIssues(found.notes, { version, language, systems }),
      };
    },
  };
}

function noPatient(): Patient {
  return create(PatientSchema);
}

function listRequest(request: {
  pageSize: number;
  pageToken: string;
  since?: Timestamp | undefined;
  oldestFirst: boolean;
}): ListRequest {
  const { pageSize, pageToken, since, oldestFirst } = request;
  return { pageSize, pageToken, oldestFirst, ...(since && { since: timestampDate(since) }) };
}

function patientChange({ patient, interaction, publishedAt }: PatientChange) {
  return create(PatientChangeSchema, {
    patient,
    interaction,
    ...(publishedAt && { publishedAt: timestampFromDate(publishedAt) }),
  });
}

/** page_size and page_token are `_count` and `_page` by other names, and give way to them. */
function searchParameters({ parameters, pageSize, pageToken }: SearchPatientsRequest): SearchParameter[] {
  const given = new Set(parameters.map(({ name }) => name));
  const paging = [
    ...(pageSize !== 0 && !given.has("_count") ? [{ name: "_count", value: String(pageSize) }] : []),
    ...(pageToken !== "" && !given.has("_page") ? [{ name: "_page", value: pageToken }] : []),
  ];
  return [...parameters, ...paging.map((parameter) => create(SearchParameterSchema, parameter))];
}
