export type { Database } from "./database.ts";
export { startFeedPublisher } from "./feed-publisher.ts";
export { openStorage, type Storage, type StorageSettings } from "./open-storage.ts";
export { patientStore } from "./patients/patient-store.ts";
export { answerStore, purgeAnswers } from "./register-answers.ts";
