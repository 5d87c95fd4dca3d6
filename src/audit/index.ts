export { type ChainedEntry, type ChainHead, chained, digestOf, NO_HASH } from "./chain.ts";
export { ChainCheck, type ChainProblem } from "./check-chain.ts";
export {
  type AuditAction,
  type AuditActor,
  type AuditContent,
  type AuditEntry,
  contentBytes,
  contentOf,
} from "./entry.ts";
export { contentByMethod, contentOfCall } from "./entry-of-call.ts";
export { type MetPatients, meet, meetPatients } from "./met-patients.ts";
export type { AuditReader, AuditTrail, RecordedEntry, TrailPage, TrailPlace, TrailQuery } from "./ports.ts";
export { type AuditIndex, searchAuditEvents } from "./search-audit-events.ts";
