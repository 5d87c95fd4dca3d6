import { setTimeout as delay } from "node:timers/promises";
import { underNoSignal } from "../../call/current-call.ts";
import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import type { LinkStore, LinkTree, PatientLink, Telling } from "../../linkage/ports.ts";
import type { StoredPatient } from "../../patients/ports.ts";
import type { LinkageNotification } from "../../registers/ports.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { type Membership, selectMemberships } from "../patients/reading/memberships.ts";
import { refuseReplacedKeys, underKeysInUse } from "../sealing/keys-in-use.ts";
import { inTransactionUnder } from "../transactions/write-under-keys.ts";
import { type Linked, link } from "./link.ts";
import { unlessChanged } from "./locks.ts";
import { insertNotification, notificationOf } from "./notification-rows.ts";
import { unlink } from "./unlink.ts";

const ATTEMPTS = 100;
/** So long a database that went down is asked what became of a commit. */
const LOOKING_MS = 2_000;
const LOOK_AGAIN_MS = 100;
/** However long the process stood still between them. */
const FEWEST_LOOKS = 3;
const END_OF_TIME = new Date("9999-12-31T23:59:59.999Z");

/** Links on PostgreSQL. */
export function linkStore(database: Database, ring: KeyRing): LinkStore {
  return {
    async known(ids) {
      const rows = await database.$queryRaw<{ id: bigint }[]>`
        SELECT id FROM patient WHERE id = ANY(${[...ids]})`;
      return new Set(rows.map(({ id }) => id));
    },
    link: (pair, decide, now, telling) =>
      write(database, ring, telling, (transaction, keys) => link(transaction, keys, pair, decide, now)),
    unlink: (pair, decide, now, telling) =>
      write(database, ring, telling, (transaction, keys) => unlink(transaction, keys, pair, decide, now)),
    group: (patientId, at) => groupAt(database, patientId, at),
  };
}

type Work = (transaction: Transaction, keys: IndexKeys) => Promise<Linked>;

async function write(
  database: Database,
  ring: KeyRing,
  telling: Telling,
  work: Work,
): Promise<StoredPatient> {
  return await underKeysInUse(database, ring, (keys) =>
    unlessChanged(() => writeOnce(database, keys, telling, work)),
  );
}

async function writeOnce(
  database: Database,
  keys: IndexKeys,
  telling: Telling,
  work: Work,
): Promise<StoredPatient> {
  if (telling === "outbox") {
    return await inTransactionUnder(database, keys, async (transaction) => {
      const { event, answer } = await work(transaction, keys);
      await insertNotification(transaction, event, notificationOf(event));
      return answer;
    });
  }
  let told: { notification: LinkageNotification; written: Linked } | undefined;
  try {
    return await inTransactionUnder(database, keys, async (transaction) => {
      // The victim of a deadlock wrote nothing, and is tried again.
      if (told) await telling.takeBack(told.notification.id);
      told = undefined;
      const written = await work(transaction, keys);
      // Nobody is told of what is refused.
      await refuseReplacedKeys(transaction);
      // A try that ends without an answer may have been taken all the same.
      told = { notification: notificationOf(written.event), written };
      await telling.tell(told.notification);
      return written.answer;
    });
  } catch (cause) {
    if (!told) throw cause;
    if (await isStored(database, told.written)) return told.written.answer;
    await telling.takeBack(told.notification.id);
    throw cause;
  }
}

/**
 * Whether a write whose commit seemed to fail was stored. Without an answer it counts as lost. What ended the commit
 * may have ended other connections of the pool too, so that one try says nothing.
 */
async function isStored(database: Database, written: Linked): Promise<boolean> {
  const asked = performance.now();
  for (let look = 1; look <= FEWEST_LOOKS || performance.now() - asked < LOOKING_MS; look++) {
    try {
      // The caller may be gone, and the commit cut off with it.
      return await underNoSignal(() => hasVersion(database, written));
    } catch {
      // The database is out of reach; the caller is told of the first failure.
      await delay(LOOK_AGAIN_MS);
    }
  }
  return false;
}

async function hasVersion(database: Database, { event, answer }: Linked): Promise<boolean> {
  const { id, meta } = answer.patient;
  const [patientId, version] = [BigInt(id ?? ""), Number(meta?.versionId)];
  // A commit that waits for a disk or a standby goes on without its connection: it holds the row until it is seen.
  await database.$queryRaw`SELECT id FROM patient WHERE id = ${patientId} FOR SHARE`;
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM patient_history
    WHERE id = ${patientId} AND version = ${version} AND updated_at = ${event.at}`;
  return rows.length > 0;
}

/** Read by two statements: when a link came in between them, they do not fit and are read again. */
async function groupAt(
  database: Database,
  patientId: bigint,
  given: Date | undefined,
): Promise<LinkTree | undefined> {
  const at = given ?? END_OF_TIME;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [version] = await database.$queryRaw<{ rootId: bigint | null }[]>`
      SELECT root_id AS "rootId" FROM patient_history
      WHERE id = ${patientId} AND updated_at <= ${at} ORDER BY updated_at DESC, version DESC LIMIT 1`;
    if (!version) return undefined;
    const { rootId } = version;
    if (rootId === null) return { primaryId: patientId, links: [] };
    const links = linksOf(await selectMemberships(database, [rootId], [at, at]));
    const fits =
      rootId === patientId ? links.length > 0 : links.some(({ secondaryId }) => secondaryId === patientId);
    if (fits) return { primaryId: rootId, links };
  }
  throw new Error("The groups of links do not tell the same as the patients.");
}

function linksOf(memberships: readonly Membership[]): PatientLink[] {
  return memberships
    .map(({ memberId, primaryId, linkedAt }) => ({ secondaryId: memberId, primaryId, linkedAt }))
    .sort((one, other) => (one.secondaryId < other.secondaryId ? -1 : 1));
}
