export { type ChainedEntry, type ChainHead, chained, digestOf, NO_HASH } from "./chain.ts";
export { ChainCheck, type ChainProblem } from "./check-chain.ts";
export {
  contentAt,
  contentBytes,
  contentOf,
  type JointContent,
  jointContentBytes,
  jointContentOf,
} from "./content.ts";
export type { AuditAction, AuditActor, AuditContent, AuditEntry } from "./entry.ts";
export { contentByMethod, contentOfCall } from "./entry-of-call.ts";
export { isLookAtNobody, type MetPatients, meet, meetPatients, resourcesMet } from "./met-patients.ts";
export type { AuditReader, AuditTrail, RecordedEntry, TrailPage, TrailPlace, TrailQuery } from "./ports.ts";
export { type AuditIndex, searchAuditEvents } from "./search-audit-events.ts";
