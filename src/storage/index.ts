export { openAuditTrail } from "./audit/open-trail.ts";
export { auditReader } from "./audit/read-trail.ts";
export { mayChangeEntries } from "./audit/rights.ts";
export { type Verified, verifyChains } from "./audit/verify-chains.ts";
export type { AuditKeyProblem } from "./audit/verify-keys.ts";
export { type Backlog, selectBacklog } from "./backlog.ts";
export { publishChanges } from "./changes/publish.ts";
export { askDatabase, askKeys, askStorage } from "./connection/ask-database.ts";
export type { Database } from "./connection/database.ts";
export { databaseTime } from "./connection/lease.ts";
export { isOutOfReach } from "./connection/out-of-reach.ts";
export { observationStore, relatedPersonStore } from "./dependents/dependent-store.ts";
export { indexExamination } from "./index-check/index-examination.ts";
export { selectKeyRecords } from "./index-keys/key-records.ts";
export { keyRotations, underKeyLock } from "./index-keys/key-rotations.ts";
export { openJobQueue } from "./jobs/job-queue.ts";
export { jobStore } from "./jobs/job-store.ts";
export { linkStore } from "./linkage/link-store.ts";
export { notificationQueue } from "./linkage/notification-queue.ts";
export { backfillBlockKeys } from "./matching/backfill.ts";
export { duplicateStore } from "./matching/duplicate-store.ts";
export { matchStore } from "./matching/match-store.ts";
export {
  heldKeys,
  holdDatabase,
  keyPlaceOf,
  keysAtHand,
  openDatabaseAsItIs,
  openStorage,
  type Storage,
  type StorageSettings,
} from "./open-storage.ts";
export { contactDataQueue } from "./patients/contact-data-queue.ts";
export { openPatientLoader } from "./patients/loading/load-patients.ts";
export { patientStore } from "./patients/patient-store.ts";
export { registeredPatients } from "./patients/registered-patients.ts";
export { answerStore, purgeAnswers } from "./register-answers.ts";
export { grantService } from "./service-role.ts";
export { unitOfWork } from "./unit-of-work.ts";
