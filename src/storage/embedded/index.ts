export { defaultDataDirectory } from "./data-folder.ts";
export { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from "./start.ts";
