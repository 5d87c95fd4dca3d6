export { type AcceptedPatient, acceptChangedPatient, acceptNewPatient } from "./accept-patient.ts";
export { areSameIdentifiers, othersIdentifiers, showsTheSame } from "./group-view.ts";
export { identifiersTaken } from "./taken-identifiers.ts";
