export { type AcceptedObservation, acceptMaritalStatus } from "./accept-marital-status.ts";
export { patientsInFocus, type Relations } from "./other-person.ts";
