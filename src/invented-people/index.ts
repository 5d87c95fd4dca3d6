import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { inventEstonian } from "./estonian.ts";
import { inventForeigner } from "./foreign.ts";
import { Random } from "./random.ts";
import { inventUnknown } from "./unknown.ts";

export { inventForeigner } from "./foreign.ts";
export { Random } from "./random.ts";

/**
 * The index-th person of a seed (whole numbers from 0). Always the same one, whatever else was invented; the identifiers of no
 * two people of a seed are the same. Of a hundred 75 are Estonian, 20 foreign and 5 unknown.
 */
export function inventPerson(seed: number, index: number): Patient {
  const random = new Random(seed, index);
  const kind = random.below(100);
  if (kind < 75) return inventEstonian(random, seed, index);
  return kind < 95 ? inventForeigner(random, index) : inventUnknown(random, index);
}

/** People `from` to `to` - 1 of a seed. */
export function inventPeople(seed: number, from: number, to: number): Patient[] {
  return Array.from({ length: to - from }, (_, offset) => inventPerson(seed, from + offset));
}
