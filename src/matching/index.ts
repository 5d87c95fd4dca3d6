export { type BlockChanges, blockChanges } from "./blocking/block-changes.ts";
export { BLOCK_SCHEME, blocksOf, type PatientBlocks, variantKeys } from "./blocking/index.ts";
export type { Block } from "./blocking/match-blocks.ts";
export type { Grade } from "./comparison/grade.ts";
export { findForeignPatients } from "./foreign/find-foreign-patients.ts";
export { matchPatients } from "./match-patients.ts";
export type { Matching } from "./matching.ts";
export { newRecordNumber } from "./new-record-number.ts";
export type {
  Candidate,
  CandidatePair,
  DuplicateState,
  DuplicateStore,
  MatchStore,
  PossibleDuplicate,
  Records,
  SoughtKeys,
} from "./ports.ts";
export {
  confirmDuplicate,
  type DuplicateReview,
  dismissDuplicate,
  listDuplicates,
} from "./review-duplicates.ts";
export { type DuplicateScan, duplicateScan } from "./scan-duplicates.ts";
