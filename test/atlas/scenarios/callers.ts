import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { GrpcStatus } from "../../../src/errors/index.ts";
import { callerHeaders, doctor, type TestCaller } from "../../callers.ts";
import { calls } from "../grpc-calls.ts";
import type { Exchange, Scenario } from "../scenario.ts";

type Headers = Record<string, string>;

const refusedToken = {
  code: "MPI-400",
  issueType: "security",
  status: { http: 401, grpc: GrpcStatus.UNAUTHENTICATED },
} as const;

const anonymous: TestCaller = { ...doctor, personalCode: "00000000000" };
const miscounted: TestCaller = { ...doctor, personalCode: "38010130258" };
const { organization: _, ...ofNoInstitution } = doctor;
const { role: __, ...withoutRole } = doctor;

/** Who asks, and what they leave out or get wrong. */
export const callerScenarios: readonly Scenario[] = [
  {
    ...refusedToken,
    meaning: "TOKEN_MISSING",
    expression: "http.authorization",
    prepare: (index) => reads(index.url, doctor, ({ authorization: _token, ...rest }) => rest),
  },
  {
    ...refusedToken,
    meaning: "TOKEN_REFUSED",
    expression: "http.authorization",
    prepare: (index) =>
      reads(index.url, doctor, (headers) => ({ ...headers, authorization: "Bearer of.no.use" })),
  },
  {
    ...refusedToken,
    meaning: "TOKEN_REPEATED",
    expression: "http.authorization",
    prepare: (index) =>
      reads(index.url, doctor, ({ authorization = "", ...headers }) => ({
        ...headers,
        authorization: `${authorization}, ${authorization}`,
      })),
  },
  {
    ...refusedToken,
    meaning: "TOKEN_OF_ANOTHER_USER",
    expression: "http.x-road-userid",
    prepare: (index) =>
      reads(index.url, doctor, (headers) => ({ ...headers, "x-road-userid": "EE46602140023" })),
  },
  {
    meaning: "USER_HEADER_MISSING",
    code: "MPI-060",
    issueType: "required",
    expression: "http.x-road-userid",
    prepare: (index) => reads(index.url, doctor, ({ "x-road-userid": _user, ...rest }) => rest),
  },
  {
    meaning: "REQUEST_ID_HEADER_MISSING",
    code: "MPI-061",
    issueType: "required",
    expression: "http.x-road-id",
    prepare: (index) => reads(index.url, doctor, ({ "x-road-id": _id, ...rest }) => rest),
  },
  ...(["x-road-userid", "x-author-id"] as const).map(
    (name): Scenario => ({
      meaning: "AUTHOR_IDENTIFIER_MISSING",
      code: "MPI-028",
      issueType: "required",
      expression: `http.${name}`,
      prepare: (index) => reads(index.url, doctor, (headers) => ({ ...headers, [name]: "" })),
    }),
  ),
  {
    meaning: "AUTHOR_DIFFERS_FROM_USER",
    code: "MPI-062",
    issueType: "security",
    expression: "http.x-author-id",
    prepare: (index) => reads(index.url, doctor, (headers) => ({ ...headers, "x-author-id": "46602140023" })),
  },
  {
    meaning: "AUTHOR_INSTITUTION_MISSING",
    code: "MPI-033",
    issueType: "required",
    expression: "http.x-road-client",
    prepare: (index) => reads(index.url, ofNoInstitution, ({ "x-road-client": _client, ...rest }) => rest),
  },
  {
    meaning: "AUTHOR_ROLE_MISSING",
    version: "1.5.0",
    code: "MPI-403",
    issueType: "forbidden",
    expression: "http.authorization",
    prepare: (index) => reads(index.url, withoutRole),
  },
  {
    meaning: "AUTHOR_ROLE_MISSING",
    version: "1.1.1",
    code: "MPI-044",
    issueType: "security",
    status: { http: 401, grpc: GrpcStatus.UNAUTHENTICATED },
    expression: "http.authorization",
    prepare: (index) => reads(index.url, withoutRole),
  },
  {
    meaning: "AUTHOR_ANONYMOUS",
    code: "MPI-063",
    issueType: "security",
    expression: "http.x-road-userid",
    prepare: (index) => reads(index.url, anonymous),
  },
  {
    meaning: "AUTHOR_PERSONAL_CODE_INVALID",
    code: "MPI-066",
    issueType: "security",
    expression: "http.x-road-userid",
    prepare: (index) => reads(index.url, miscounted),
  },
];

/** A read by a caller whose headers are changed before they are sent. */
async function reads(
  url: string,
  caller: TestCaller,
  change: (headers: Headers) => Headers = (headers) => headers,
): Promise<Exchange> {
  const headers = change(await callerHeaders(url, caller));
  return {
    http: { method: "GET", path: "/Patient/1", as: "nobody", headers },
    grpc: calls(PatientService.method.readPatient, { id: "1" }, { as: "nobody", metadata: headers }),
  };
}
