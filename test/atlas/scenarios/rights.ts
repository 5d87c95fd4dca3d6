import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { doctor, type TestCaller } from "../../callers.ts";
import { calls } from "../grpc-calls.ts";
import { someone } from "../people.ts";
import { creates, reads, searches } from "../requests.ts";
import type { Exchange, Scenario } from "../scenario.ts";

const student: TestCaller = { ...doctor, role: "student", scope: "" };
const patient: TestCaller = { ...doctor, role: "patient", scope: "" };

/** What roles and extra rights do not grant, and the records of others. */
export const rightsScenarios: readonly Scenario[] = [
  {
    meaning: "INTERACTION_NOT_ALLOWED",
    code: "MPI-403",
    issueType: "forbidden",
    prepare: () => askedAs(student, creates({ resourceType: "Patient" })),
  },
  {
    meaning: "INTERACTION_NOT_ALLOWED",
    code: "MPI-403",
    issueType: "forbidden",
    prepare: () => askedAs({ ...doctor, scope: "" }, searches("Patient", ["birthdate", "1967-03-05"])),
  },
  {
    meaning: "INTERACTION_NOT_ALLOWED",
    code: "MPI-403",
    issueType: "forbidden",
    prepare: () =>
      askedAs(patient, {
        http: { method: "GET", path: "/Patient/_history" },
        grpc: calls(PatientService.method.listPatientChanges, {}),
      }),
  },
  {
    meaning: "PATIENT_ACCESS_DENIED",
    code: "MPI-052",
    issueType: "forbidden",
    prepare: async (index) => askedAs(patient, reads(await someone(index))),
  },
  {
    meaning: "PATIENT_ACCESS_DENIED",
    code: "MPI-052",
    issueType: "forbidden",
    prepare: () => askedAs(patient, reads("Patient/999999999")),
  },
];

function askedAs(as: TestCaller, { http, grpc }: Exchange): Exchange {
  if (!http || !("path" in http) || !grpc) throw new Error("It is not asked in both ways.");
  return { http: { ...http, as }, grpc: { ...grpc, as } };
}
