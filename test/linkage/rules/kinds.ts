import type { LockedPatient } from "../../../src/linkage/ports.ts";
import { PID } from "../../patients/examples.ts";

const SYSTEMS = {
  estonian: [`${PID}/est/ni`, `${PID}/fin/ppn`],
  foreign: [`${PID}/fin/ni`, `${PID}/est/prn/10000000`],
  unknown: [`${PID}/est/mr`],
} as const;

export type Kind = keyof typeof SYSTEMS;

/** A patient of a kind who is linked with nobody; what is given replaces its parts. */
export function lockedPatient(id: bigint, kind: Kind, changes: Partial<LockedPatient> = {}): LockedPatient {
  return { id, rootId: id, link: undefined, active: true, systems: SYSTEMS[kind], ...changes };
}

/** A patient who is linked directly to another one of a group. */
export function linkedPatient(
  id: bigint,
  to: bigint,
  rootId: bigint,
  changes: Partial<LockedPatient> = {},
): LockedPatient {
  const link = { primaryId: to, deactivated: false };
  return lockedPatient(id, "foreign", { rootId, link, ...changes });
}
