import { type Fault, fault, recordExpression } from "../errors/index.ts";

/** Says that records of a type do not open (MPI-003), which does not keep the searcher from the others. */
export function unreadableNotes(type: string, ids: readonly string[]): Fault[] {
  return ids.map((id) => fault("INDEX_DECRYPTION_FAILED", {}, { expression: [recordExpression(type, id)] }));
}
