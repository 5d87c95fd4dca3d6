import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { telecomsOf } from "../comparison/person.ts";
import { blocksOf } from "./index.ts";
import { telecomKey } from "./match-blocks.ts";

/** What becomes of the blocks of a patient with its next version. */
export interface BlockChanges {
  readonly gone: readonly bigint[];
  readonly added: readonly bigint[];
  /** The names that must be known with their variants, where they may be others than before. */
  readonly forms: readonly string[];
}

/** Most updates leave a person's name and birth date as they are, and to make their keys twice takes a twelfth of an update. */
export function blockChanges(current: Patient, next: Patient): BlockChanges {
  if (demographicsOf(current) === demographicsOf(next)) {
    return { ...changesBetween(telecomKeys(current), telecomKeys(next)), forms: [] };
  }
  const { keys, forms } = blocksOf(next);
  return { ...changesBetween(blocksOf(current).keys, keys), forms };
}

/** All that blocks come from but the contact points. */
function demographicsOf({ identifier, name, birthDate, gender }: Patient): string {
  const names = name.map(({ use, family, given }) => [use, family, given]);
  return JSON.stringify([birthDate, gender, names, identifier.map(({ system }) => system)]);
}

function telecomKeys(patient: Patient): bigint[] {
  return [...telecomsOf(patient)].map(telecomKey);
}

function changesBetween(current: readonly bigint[], next: readonly bigint[]) {
  const [before, after] = [new Set(current), new Set(next)];
  return { gone: [...before.difference(after)], added: [...after.difference(before)] };
}
