import type { IndexKeys } from "../../identifier-index/index.ts";
import type { LinkDecision, LockedPair, PatientPair } from "../../linkage/ports.ts";
import type { StoredPatient } from "../../patients/ports.ts";
import { noteWrite } from "../audit/write-entries.ts";
import type { Transaction } from "../connection/database.ts";
import { settleLinked } from "../matching/duplicate-store.ts";
import { selectGroup } from "../patients/reading/memberships.ts";
import { insertMembers, removeMembers } from "./group-rows.ts";
import { instantOf, writeRegrouped, writtenPatient } from "./group-versions.ts";
import { lockedPatients, lockPair, rootOf, setActive } from "./locks.ts";
import type { LinkEvent } from "./notification-rows.ts";

export interface Linked {
  readonly event: LinkEvent;
  /** Read before the commit: nothing is done that cannot be answered. */
  readonly answer: StoredPatient;
}

/** Links the source, with the group below it, to the target; the root of the target is the root of them all. */
export async function link(
  transaction: Transaction,
  keys: IndexKeys,
  pair: PatientPair,
  decide: (pair: LockedPair) => LinkDecision,
  now: Date,
): Promise<Linked> {
  const rows = await lockPair(transaction, pair);
  const locked = await lockedPatients(transaction, rows);
  const { deactivate } = decide(locked);
  const root = rootOf(rows.target);
  const below = rows.source.rootId === null ? [] : await selectGroup(transaction, pair.source);
  const members = below.map(({ memberId }) => memberId);
  const at = await instantOf(transaction, rows.all, members, now);
  const deactivated = deactivate && locked.source.active !== false;
  await transaction.$executeRaw`
    INSERT INTO link (secondary_id, primary_id, linked_at, deactivated)
    VALUES (${pair.source}, ${pair.target}, ${at}, ${deactivated})`;
  const linked = { memberId: pair.source, primaryId: pair.target, linkedAt: at };
  await insertMembers(transaction, root, [linked, ...below], at);
  await removeMembers(transaction, pair.source, members, at);
  const group = await selectGroup(transaction, root);
  await settleLinked(transaction, [root, ...group.map(({ memberId }) => memberId)], at);
  if (deactivated) await setActive(transaction, rows.source, false);
  const ids = [pair.source, pair.target, root, ...members];
  await writeRegrouped(transaction, keys, { ids, moved: [], movedTo: null, keptBy: root }, at);
  for (const patientId of [pair.source, pair.target]) noteWrite(transaction, { patientId, action: "U", at });
  return {
    event: { kind: "link", secondaryId: pair.source, primaryId: pair.target, at },
    answer: await writtenPatient(transaction, keys, pair.target),
  };
}
