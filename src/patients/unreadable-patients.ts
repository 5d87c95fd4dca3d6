import { noteLook } from "../call/current-call.ts";
import { type Fault, fault, patientExpression } from "../errors/index.ts";
import type { SearchResult, StoredPatient } from "./ports.ts";

/** Whose identifiers a searcher is not shown, since they do not open: patients of the page, and members of their groups. */
export function unreadablePatients({ patients, unreadable }: Exclude<SearchResult, "too-many">): bigint[] {
  return [...new Set([...unreadable, ...patients.flatMap(unreadableMembers)])];
}

/** Says that patients do not open (MPI-003), which does not keep the searcher from the others. To name them is a look. */
export function unreadableNotes(ids: Iterable<bigint>): Fault[] {
  return [...ids].map((id) => {
    noteLook(id);
    return fault("INDEX_DECRYPTION_FAILED", {}, { expression: [patientExpression(id)] });
  });
}

function unreadableMembers({ group }: StoredPatient): bigint[] {
  if (group?.role !== "primary") return [];
  return group.members.filter(({ isUnreadable }) => isUnreadable).map(({ id }) => id);
}
