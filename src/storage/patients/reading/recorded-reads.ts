import { Prisma } from "../../../../prisma/gen/client.ts";
import { type AuditEntry, contentByMethod } from "../../../audit/index.ts";
import { asPart, currentCall } from "../../../call/current-call.ts";
import { GatheredWork } from "../../../concurrency/gathered-work.ts";
import { OwnStream } from "../../audit/own-stream.ts";
import { auditKeysOf } from "../../audit/write-entries.ts";
import { ambientTransaction } from "../../connection/ambient-transaction.ts";
import { ofAnyLength } from "../../connection/array-parameter.ts";
import type { Database } from "../../connection/database.ts";
import { patientsById } from "./read-patients.ts";
import type { PatientRow } from "./stored-patient.ts";

/** While one statement is committed another one is made. */
const AT_ONCE = 2;

interface Read {
  readonly id: bigint;
  readonly entry: AuditEntry;
}

interface Answer {
  readonly row: PatientRow;
  readonly isRecorded: boolean;
}

/** Reads a patient for the call at hand, which is told when its entry in the audit trail was written with that. */
export type RecordedRead = (id: bigint, now: Date) => Promise<PatientRow | undefined>;

/**
 * Reads patients for many calls by one statement, which leaves the entries of these calls in the audit trail, too: a second
 * statement would cost a tenth of a read. When one of the patients is not there the statement writes nothing, and each
 * call is left to record what became of it. Without a call or a trail, and in a transaction, `otherwise` reads.
 */
export function recordedReads(
  database: Database,
  otherwise: (id: bigint) => Promise<PatientRow | undefined>,
): RecordedRead {
  const streams: OwnStream[] = [];
  const reads = new GatheredWork(async (asked: readonly Read[]) => {
    const stream = streams.pop() ?? newStream(database);
    try {
      return await readAll(database, stream, asked);
    } finally {
      streams.push(stream);
    }
  }, AT_ONCE);
  return async (id, now) => {
    const call = currentCall();
    if (!call || !auditKeysOf(database) || ambientTransaction(database)) return await otherwise(id);
    const entry = { ...contentByMethod(call), recordedAt: now, patientId: id };
    const answer = await asPart("read patient", () => reads.ask({ id, entry }));
    if (answer?.isRecorded) call.accesses.noteRecorded(id);
    return answer?.row;
  };
}

function newStream(database: Database): OwnStream {
  const keys = auditKeysOf(database);
  if (!keys) throw new Error("A read is to be recorded where there is no trail.");
  return new OwnStream(database, keys);
}

async function readAll(
  database: Database,
  stream: OwnStream,
  asked: readonly Read[],
): Promise<ReadonlyMap<Read, Answer>> {
  const ids = [...new Set(asked.map(({ id }) => id))];
  const isComplete = Prisma.sql`(SELECT count(*) = ${ids.length} FROM found)`;
  let rows: PatientRow[] = [];
  const entries = asked.map(({ entry }) => entry);
  await stream.append(entries, async (insertion) => {
    rows = await database.$queryRaw<PatientRow[]>`
      WITH found AS (${patientsById(ofAnyLength(ids))}), ${insertion(isComplete)} SELECT * FROM found`;
    return rows.length === ids.length;
  });
  const byId = new Map(rows.map((row) => [row.id, { row, isRecorded: rows.length === ids.length }]));
  return new Map(
    asked.flatMap((read) => {
      const answer = byId.get(read.id);
      return answer ? [[read, answer] as const] : [];
    }),
  );
}
