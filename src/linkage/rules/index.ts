export { linkFaults } from "./link-rules.ts";
export { unlinkDecision } from "./unlink-rules.ts";
