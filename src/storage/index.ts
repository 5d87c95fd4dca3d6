export { type Database, type DatabaseSettings, openDatabase } from "./database.ts";
export { defaultDataDirectory, type EmbeddedServer, startEmbeddedServer } from "./embedded/index.ts";
export { type FeedPublisher, startFeedPublisher } from "./feed-publisher.ts";
export { isUnsealed, recordIndexKeys } from "./index-keys.ts";
export { applyMigrations } from "./migrations.ts";
export { patientStore } from "./patients/patient-store.ts";
