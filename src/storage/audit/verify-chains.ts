import { Prisma } from "../../../prisma/gen/client.ts";
import { ChainCheck, type ChainedEntry, type ChainHead, type ChainProblem } from "../../audit/index.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { type AuditKeyProblem, auditKeyProblems } from "./verify-keys.ts";

/** What a look through all chains came to. */
export interface Verified {
  readonly streams: number;
  readonly entries: number;
}

/** The keys that the entries of a trail are sealed with, by their ids: how many entries each has. */
type UsedKeys = Map<string, number>;

export interface Verification {
  /** Heads as they were noted elsewhere at an earlier time, by stream. */
  readonly noted?: ReadonlyMap<bigint, ChainHead>;
  /** The keys of the index, where they are at hand: then the keys that entries are sealed with have to open. */
  readonly keys?: IndexKeys;
  readonly problem: (problem: ChainProblem) => void;
  /** Told of keys without which entries cannot be read. */
  readonly keyProblem: (problem: AuditKeyProblem) => void;
  /** The head of each stream that was found, to be noted. */
  readonly head?: (head: ChainHead) => void;
  /** How many entries were looked at, and how many there are by the heads. */
  readonly progress: (done: number, total: number) => void;
}

/** An entry, and the head of its stream. */
interface EntryRow extends ChainedEntry {
  readonly headN: bigint | null;
  readonly headHash: Uint8Array | null;
}

const PAGE = 5_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Goes through every chain as it is at one moment, while the service may go on writing. It writes nothing and needs no key:
 * it asks for the right to read `audit_event`, `audit_stream` and `audit_key`.
 */
export async function verifyChains(database: Database, verification: Verification): Promise<Verified> {
  return await database.$transaction((transaction) => verifyAll(transaction, verification), {
    isolationLevel: "RepeatableRead",
    maxWait: 10_000,
    timeout: DAY_MS,
  });
}

async function verifyAll(transaction: Transaction, verification: Verification): Promise<Verified> {
  await transaction.$executeRaw`SET TRANSACTION READ ONLY`;
  const total = await countEntries(transaction);
  const unseen = new Map(verification.noted);
  const begin = (streamId: bigint) => {
    const noted = unseen.get(streamId);
    unseen.delete(streamId);
    return new ChainCheck(streamId, noted);
  };
  const end = (check: ChainCheck, head: ChainHead | undefined) => {
    const problem = check.end(head);
    if (problem) verification.problem(problem);
    if (head) verification.head?.(head);
  };
  const used: UsedKeys = new Map();
  const found = await verifyEntries(transaction, verification, total, begin, end, used);
  const emptied = await selectEmptied(transaction);
  for (const head of emptied) end(begin(head.streamId), head);
  for (const streamId of unseen.keys()) verification.problem({ streamId, n: 1n, fault: "removed" });
  for (const problem of await auditKeyProblems(transaction, used, verification.keys)) {
    verification.keyProblem(problem);
  }
  return { streams: found.streams + emptied.length, entries: found.entries };
}

async function verifyEntries(
  transaction: Transaction,
  { problem, progress }: Verification,
  total: number,
  begin: (streamId: bigint) => ChainCheck,
  end: (check: ChainCheck, head: ChainHead | undefined) => void,
  used: UsedKeys,
): Promise<Verified> {
  let [streams, entries] = [0, 0];
  let open: { readonly check: ChainCheck; last: EntryRow } | undefined;
  for await (const entry of allEntries(transaction)) {
    if (open?.last.streamId !== entry.streamId) {
      if (open) end(open.check, headOf(open.last));
      streams += 1;
      open = { check: begin(entry.streamId), last: entry };
    }
    open.last = entry;
    for (const found of open.check.next(entry)) problem(found);
    if (entry.keyId !== null) used.set(entry.keyId, (used.get(entry.keyId) ?? 0) + 1);
    entries += 1;
    if (entries % PAGE === 0) progress(entries, total);
  }
  if (open) end(open.check, headOf(open.last));
  progress(entries, total);
  return { streams, entries };
}

function headOf({ streamId, headN, headHash }: EntryRow): ChainHead | undefined {
  return headN === null || headHash === null ? undefined : { streamId, n: headN, hash: headHash };
}

async function countEntries(transaction: Transaction): Promise<number> {
  const [row] = await transaction.$queryRaw<{ total: bigint }[]>`
    SELECT coalesce(sum(n), 0)::bigint AS total FROM audit_stream`;
  return Number(row?.total ?? 0);
}

/** Stream by stream, each in the order of its places. */
async function* allEntries(transaction: Transaction): AsyncGenerator<EntryRow> {
  let after: EntryRow | undefined;
  for (;;) {
    const behind = after
      ? Prisma.sql`WHERE (e.stream_id, e.n) > (${after.streamId}, ${after.n})`
      : Prisma.empty;
    const rows = await transaction.$queryRaw<EntryRow[]>`
      SELECT e.stream_id AS "streamId", e.n, e.recorded_at AS "recordedAt", e.patient_id AS "patientId",
        e.key_id AS "keyId", e.content, e.content_n AS "contentN", e.digest, e.hash, s.n AS "headN", s.hash AS "headHash"
      FROM audit_event e LEFT JOIN audit_stream s ON s.stream_id = e.stream_id
      ${behind} ORDER BY e.stream_id, e.n LIMIT ${PAGE}`;
    yield* rows;
    after = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

/** Heads of streams that have no entry left. */
async function selectEmptied(transaction: Transaction): Promise<ChainHead[]> {
  return await transaction.$queryRaw<ChainHead[]>`
    SELECT s.stream_id AS "streamId", s.n, s.hash FROM audit_stream s
    WHERE NOT EXISTS (SELECT FROM audit_event e WHERE e.stream_id = s.stream_id) ORDER BY s.stream_id`;
}
