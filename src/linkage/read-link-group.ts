import { MpiError } from "../errors/index.ts";
import { parsePatientId, patientNotFound } from "../patients/index.ts";
import type { Linkage } from "./linkage.ts";
import type { LinkTree } from "./ports.ts";

/**
 * The group of a patient as a tree, now or at an instant; a patient who is alone is its own primary. MPI-072 when
 * there is no such patient, MPI-079 when there was none yet.
 */
export async function readLinkGroup(
  { links }: Linkage,
  patientId: string,
  at: Date | undefined,
): Promise<LinkTree> {
  const id = parsePatientId(patientId);
  const tree = await links.group(id, at);
  if (tree) return tree;
  if ((await links.known([id])).has(id)) throw new MpiError("HISTORY_ENTRY_NOT_FOUND");
  throw patientNotFound(patientId);
}
