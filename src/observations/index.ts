export { type ObservationSettings, observationIndex } from "./observation-index.ts";
