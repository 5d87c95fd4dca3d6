export { createPatient } from "./create-patient.ts";
export { listPatientChanges } from "./list-patient-changes.ts";
export { listPatientHistory } from "./list-patient-history.ts";
export type { PatientIndex } from "./patient-index.ts";
export type { PatientStore, StoredChange } from "./ports.ts";
export { readPatient, readPatientVersion } from "./read-patient.ts";
export { type FoundPatients, searchPatients } from "./search-patients.ts";
export { updatePatient } from "./update-patient.ts";
