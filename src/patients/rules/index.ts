export { type AcceptedPatient, acceptChangedPatient, acceptNewPatient } from "./accept-patient.ts";
export { showPatient } from "./show-patient.ts";
