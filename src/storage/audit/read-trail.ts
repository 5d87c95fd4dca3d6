import { Prisma } from "../../../prisma/gen/client.ts";
import type { AuditReader, RecordedEntry, TrailPage, TrailQuery } from "../../audit/index.ts";
import type { KeyRing } from "../../identifier-index/index.ts";
import type { Database } from "../database.ts";
import { auditKeyring } from "./audit-keys.ts";
import { openEntry } from "./sealed-entry.ts";

interface EventRow {
  readonly streamId: bigint;
  readonly n: bigint;
  readonly recordedAt: Date;
  readonly patientId: bigint | null;
  readonly keyId: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The trail on PostgreSQL, as it is read. */
export function auditReader(database: Database, ring: KeyRing): AuditReader {
  const keyring = auditKeyring(database, ring);
  return {
    async find(query): Promise<TrailPage> {
      const total = await countEvents(database, query);
      const rows = query.size > 0 ? await selectEvents(database, query) : [];
      const page = rows.slice(0, query.size);
      const opened = await keyring(page.map(({ keyId }) => keyId));
      const entries = page.map((row): RecordedEntry => {
        const key = opened.get(row.keyId);
        if (!key) throw new Error("An audit entry is sealed with a key that is not kept.");
        return { ...openEntry(key, row), streamId: row.streamId, n: row.n };
      });
      return { entries, total, hasMore: rows.length > query.size };
    },
  };
}

/** One more than the page holds: then there is a next page. */
async function selectEvents(database: Database, query: TrailQuery): Promise<EventRow[]> {
  const { after, size } = query;
  const behind = after
    ? Prisma.sql`AND (recorded_at, stream_id, n) < (${after.recordedAt}, ${after.streamId}, ${after.n})`
    : Prisma.empty;
  return await database.$queryRaw<EventRow[]>`
    SELECT stream_id AS "streamId", n, recorded_at AS "recordedAt", patient_id AS "patientId", key_id AS "keyId", content
    FROM audit_event WHERE ${conditionOf(query)} ${behind}
    ORDER BY recorded_at DESC, stream_id DESC, n DESC LIMIT ${size + 1}`;
}

async function countEvents(database: Database, query: TrailQuery): Promise<number> {
  const [row] = await database.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM audit_event WHERE ${conditionOf(query)}`;
  return Number(row?.total ?? 0);
}

function conditionOf({ patients, spans }: TrailQuery): Prisma.Sql {
  const within = spans.map(({ from, to, outside }) => {
    const span = Prisma.sql`(${from ? Prisma.sql`recorded_at >= ${from}` : Prisma.sql`true`}
      AND ${to ? Prisma.sql`recorded_at <= ${to}` : Prisma.sql`true`})`;
    return outside ? Prisma.sql`NOT ${span}` : span;
  });
  return Prisma.join([Prisma.sql`patient_id = ANY(${[...patients]})`, ...within], " AND ");
}
