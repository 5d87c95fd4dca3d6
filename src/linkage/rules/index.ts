export { linkFaults } from "./link-rules.ts";
export type { PairPlaces, Side } from "./pair-places.ts";
export { isLinkedAlready, successionFaults } from "./succession-rules.ts";
export { unlinkDecision } from "./unlink-rules.ts";
