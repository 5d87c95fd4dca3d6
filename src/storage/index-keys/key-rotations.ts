import { fault, MpiError } from "../../errors/index.ts";
import {
  type HeldKeys,
  type IndexKey,
  type IndexKeys,
  KeyMissing,
  type KeyProvider,
  type KeyRecord,
  type KeyRing,
  type KeyState,
  openingKeys,
  stateText,
} from "../../identifier-index/index.ts";
import type { KeyRotations, Rotation } from "../../index-maintenance/ports.ts";
import { moveAuditKeys } from "../audit/audit-keys.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { inTransaction } from "../transactions/transaction.ts";
import type { FollowedKeys } from "./follow-keys.ts";
import { insertKey, lockKeyRecords, selectKeyRecords } from "./key-records.ts";
import { countOthers } from "./key-users.ts";
import { moveAfter } from "./move-patients.ts";
import { deleteOldRows, rotationSize } from "./rotation-rows.ts";

export interface RotationPlace {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly rotation: { readonly provider: KeyProvider; readonly followed: FollowedKeys };
}

/** Rotations of the keys of a database. */
export function keyRotations({ database, keys: ring, rotation }: RotationPlace): KeyRotations {
  return {
    underWay: async () => rotationOf(await selectKeyRecords(database)),
    begin: () => begin(database, rotation.provider),
    async unready() {
      await rotation.followed.refresh();
      return await countOthers(database, stateText(await selectKeyRecords(database)));
    },
    openTransactions: () => openTransactions(database),
    advance: (from) => advance(database, from),
    size: (under) => rotationSize(database, under),
    moveAfter: ({ to }, patientId, limit) =>
      ring.under((keys) => moveAfter({ database, keys, to: keyOf(keys, to) }, patientId, limit)),
    moveShared: ({ to }) => ring.under((keys) => moveAuditKeys(database, keys, keyOf(keys, to))),
    deleteOldRows: ({ from }, part, parts) => deleteOldRows(database, from, part, parts),
    async deleteOldAnswers({ from }) {
      await database.$executeRaw`DELETE FROM register_answer WHERE key_id = ${from}`;
    },
  };
}

function rotationOf(records: readonly KeyRecord[]): Rotation | undefined {
  const inState = (state: KeyState) => records.find((one) => one.state === state)?.keyId;
  const primary = inState("primary");
  if (primary === undefined) return undefined;
  const [joining, filling, leaving] = [inState("joining"), inState("filling"), inState("leaving")];
  if (joining !== undefined) return { from: primary, to: joining, phase: "joining" };
  if (filling !== undefined) return { from: primary, to: filling, phase: "filling" };
  return leaving === undefined ? undefined : { from: leaving, to: primary, phase: "leaving" };
}

/** Begins a rotation to the secondary key, unless the database knows that key already: as its primary, or as one that it has left. */
async function begin(database: Database, provider: KeyProvider): Promise<Rotation | undefined> {
  return await underKeyLock(database, async (transaction, records) => {
    const underWay = rotationOf(records);
    if (underWay) return underWay;
    // Read under the lock: a secondary key is not taken out of the file meanwhile.
    const { secondary } = await loaded(provider);
    if (!secondary || records.some(({ keyId }) => keyId === secondary.keyId)) return undefined;
    await insertKey(transaction, secondary, "joining", new Date());
    return rotationOf([...records, { keyId: secondary.keyId, state: "joining" }]);
  });
}

/** MPI-005, caused by MPI-003, while they cannot be had: of an HSM that is away, say. */
async function loaded(provider: KeyProvider): Promise<HeldKeys> {
  try {
    return await provider.load();
  } catch (cause) {
    throw MpiError.of([fault("SECONDARY_KEY_REQUIRED"), fault("INDEX_DECRYPTION_FAILED")], { cause });
  }
}

/** Sessions of other roles show no start of their transaction, and are left out: they write nothing here. */
async function openTransactions(database: Database): Promise<string[]> {
  const rows = await database.$queryRaw<{ name: string }[]>`
    SELECT pid || ' ' || xact_start AS name FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND xact_start IS NOT NULL`;
  return rows.map(({ name }) => name);
}

/** Which states the two keys of a rotation get behind each of its phases. */
const NEXT: Readonly<Record<Rotation["phase"], { readonly from?: KeyState; readonly to?: KeyState }>> = {
  joining: { to: "filling" },
  filling: { from: "leaving", to: "primary" },
  leaving: { from: "retired" },
};

async function advance(database: Database, rotation: Rotation): Promise<Rotation | undefined> {
  return await underKeyLock(database, async (transaction, records) => {
    const underWay = rotationOf(records);
    // Somebody else has done it already.
    if (underWay?.phase !== rotation.phase || underWay.to !== rotation.to) return underWay;
    for (const [keyId, state] of [
      [rotation.from, NEXT[rotation.phase].from],
      [rotation.to, NEXT[rotation.phase].to],
    ] as const) {
      if (state) await transaction.indexKey.update({ where: { keyId }, data: { state } });
    }
    return rotationOf(await selectKeyRecords(transaction));
  });
}

/** Does work with the states of the keys, which nobody else changes meanwhile. */
export function underKeyLock<T>(
  database: Database,
  change: (transaction: Transaction, records: readonly KeyRecord[]) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (transaction) => {
    await lockKeyRecords(transaction);
    return await change(transaction, await selectKeyRecords(transaction));
  });
}

function keyOf(keys: IndexKeys, keyId: string): IndexKey {
  const key = openingKeys(keys).find((one) => one.keyId === keyId);
  if (!key) throw new KeyMissing(`The keys of this process lack ${keyId}.`);
  return key;
}
