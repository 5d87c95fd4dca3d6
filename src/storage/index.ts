export { publishChanges } from "./changes/publish.ts";
export type { Database } from "./database.ts";
export { observationStore, relatedPersonStore } from "./dependents/dependent-store.ts";
export { startFeedPublisher } from "./feed-publisher.ts";
export { linkStore } from "./linkage/link-store.ts";
export { notificationQueue } from "./linkage/notification-queue.ts";
export { openStorage, type Storage, type StorageSettings } from "./open-storage.ts";
export { openPatientLoader, type PatientLoader } from "./patients/load-patients.ts";
export { patientStore } from "./patients/patient-store.ts";
