import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { present } from "../exchange/answer.ts";
import { connectErrorOfStatus } from "../transport/remote/remote-error.ts";
import { type StoredCalls, type StoredType, storedType } from "./resource/stored-type.ts";

const calls: StoredCalls<Patient> = {
  read: async ({ patients }, request, call) => (await patients.readPatient(request, call)).patient,
  readVersion: async ({ patients }, request, call) =>
    (await patients.readPatientVersion(request, call)).patient,
  create: async ({ patients }, patient, call) => (await patients.createPatient({ patient }, call)).patient,
  async createTogether({ patients }, given, identityOnly, call) {
    const { results } = await patients.createPatients({ patients: [...given], identityOnly }, call);
    return results.map(({ result }) => {
      if (result.case === "patient") return result.value;
      return connectErrorOfStatus(present(result.value));
    });
  },
  update: async ({ patients }, id, patient, call) =>
    (await patients.updatePatient({ id, patient }, call)).patient,
  async history({ patients }, request, call) {
    const found = await patients.listPatientHistory(request, call);
    return { ...found, changes: found.changes.map(asChange) };
  },
  async changes({ patients }, request, call) {
    const found = await patients.listPatientChanges(request, call);
    return { ...found, changes: found.changes.map(asChange) };
  },
  async search({ patients }, request, call) {
    const found = await patients.searchPatients({ ...request, parameters: [...request.parameters] }, call);
    return { ...found, resources: found.patients };
  },
};

function asChange<Rest extends object>({ patient, ...rest }: Rest & { patient?: Patient | undefined }) {
  return { ...rest, resource: patient };
}

export const patientType: StoredType<Patient> = storedType(PatientSchema, calls, {
  summaryElements: [
    "identifier",
    "active",
    "name",
    "telecom",
    "gender",
    "birthDate",
    "deceased",
    "address",
    "managingOrganization",
    "link",
  ],
});
