export { addressesAskedAhead, type PatientWrite } from "./addresses-asked-ahead.ts";
export { createPatient } from "./create-patient.ts";
export { createPatients } from "./create-patients.ts";
export { listPatientChanges } from "./list-patient-changes.ts";
export { listPatientHistory, type PatientChange } from "./list-patient-history.ts";
export { type Loaded, loadPatients, mostLoaded } from "./load-patients.ts";
export { lookupPatients } from "./lookup-patients.ts";
export { patientDirectory } from "./patient-directory.ts";
export { parsePatientId, patientNotFound } from "./patient-id.ts";
export type { PatientIndex } from "./patient-index.ts";
export { patientsMeant } from "./patients-meant.ts";
export type {
  GroupMember,
  PatientLoader,
  PatientStore,
  PlaceInGroup,
  StoredChange,
  StoredPatient,
} from "./ports.ts";
export { readPatient, readPatientVersion } from "./read-patient.ts";
export { registryAskedOnce } from "./register/asked-once.ts";
export { type RefreshingPatients, refreshPatients } from "./register/refresh-patients.ts";
export {
  type ContactDataSending,
  sendAllContactDataNow,
  sendContactData,
} from "./register/send-contact-data.ts";
export type { RegisterIntake } from "./register/take-from-register.ts";
export { areSameIdentifiers, showsTheSame } from "./rules/index.ts";
export { type FoundPatients, searchPatients } from "./search-patients.ts";
export { showPatient } from "./show-patient.ts";
export { showPatients } from "./show-patients.ts";
export { unreadablePatientNotes } from "./unreadable-patients.ts";
export { updatePatient } from "./update-patient.ts";
