export { type AcceptedPatient, acceptChangedPatient, acceptNewPatient } from "./accept-patient.ts";
export { adrId, adsOid } from "./address-registry-ids.ts";
export { isOfficialResidence } from "./addresses.ts";
export { showPatient } from "./show-patient.ts";
