import type { IndexKeys } from "../../identifier-index/index.ts";
import type { LockedPair, PatientPair, UnlinkDecision } from "../../linkage/ports.ts";
import { noteWrite } from "../audit/write-entries.ts";
import type { Transaction } from "../connection/database.ts";
import { type Membership, selectGroup } from "../patients/reading/memberships.ts";
import { insertMembers, removeMembers } from "./group-rows.ts";
import { instantOf, writeRegrouped, writtenPatient } from "./group-versions.ts";
import type { Linked } from "./link.ts";
import { lockedPatients, lockPair, rootOf, setActive } from "./locks.ts";

/** Releases one of a pair from its group; those below it go with it, as a group of their own. */
export async function unlink(
  transaction: Transaction,
  keys: IndexKeys,
  pair: PatientPair,
  decide: (pair: LockedPair) => UnlinkDecision,
  now: Date,
): Promise<Linked> {
  const rows = await lockPair(transaction, pair);
  const { released, activate } = decide(await lockedPatients(transaction, rows));
  const row = released === rows.source.id ? rows.source : rows.target;
  const root = rootOf(row);
  const group = await selectGroup(transaction, root);
  const below = membersBelow(group, released);
  const moved = [released, ...below.map(({ memberId }) => memberId)];
  const at = await instantOf(transaction, rows.all, moved, now);
  const primaryId = await endLink(transaction, released, at);
  await removeMembers(transaction, root, moved, at);
  await insertMembers(transaction, released, below, at);
  if (activate) await setActive(transaction, row, true);
  await writeRegrouped(
    transaction,
    keys,
    {
      ids: [pair.source, pair.target, root, ...moved],
      moved,
      movedTo: below.length > 0 ? released : null,
      keptBy: group.length > moved.length ? root : null,
    },
    at,
  );
  for (const patientId of [pair.source, pair.target]) noteWrite(transaction, { patientId, action: "U", at });
  return {
    event: { kind: "unlink", secondaryId: released, primaryId, at },
    answer: await writtenPatient(transaction, keys, released),
  };
}

/** Moves the link of a secondary into history; answers with the patient that it was linked to. */
async function endLink(transaction: Transaction, secondaryId: bigint, at: Date): Promise<bigint> {
  const [ended] = await transaction.$queryRaw<{ primaryId: bigint; linkedAt: Date }[]>`
    DELETE FROM link WHERE secondary_id = ${secondaryId}
    RETURNING primary_id AS "primaryId", linked_at AS "linkedAt"`;
  if (!ended) throw new Error("A patient to be released is not linked.");
  await transaction.$executeRaw`
    INSERT INTO link_history (secondary_id, primary_id, linked_at, unlinked_at)
    VALUES (${secondaryId}, ${ended.primaryId}, ${ended.linkedAt}, ${at})`;
  return ended.primaryId;
}

/** Everybody who is linked below a patient, directly or through others. */
function membersBelow(group: readonly Membership[], id: bigint): Membership[] {
  const byPrimary = Map.groupBy(group, ({ primaryId }) => primaryId);
  const found = [...(byPrimary.get(id) ?? [])];
  for (const member of found) found.push(...(byPrimary.get(member.memberId) ?? []));
  return found;
}
