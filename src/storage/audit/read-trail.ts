import { Prisma } from "../../../prisma/gen/client.ts";
import type {
  AuditEntry,
  AuditReader,
  JointContent,
  RecordedEntry,
  TrailPage,
  TrailQuery,
} from "../../audit/index.ts";
import { MpiError } from "../../errors/index.ts";
import type { IndexKey, KeyRing } from "../../identifier-index/index.ts";
import type { Database } from "../connection/database.ts";
import { auditKeyring } from "./audit-keys.ts";
import { entryAt, openEntry, openJointly, type SealedContent } from "./sealed-entry.ts";

interface EventRow {
  readonly streamId: bigint;
  readonly n: bigint;
  readonly recordedAt: Date;
  readonly patientId: bigint | null;
  readonly contentN: bigint | null;
}

/** A content with the place where it stands. */
interface ContentRow extends SealedContent {
  readonly streamId: bigint;
  readonly n: bigint;
}

/** The trail on PostgreSQL, as it is read. */
export function auditReader(database: Database, ring: KeyRing): AuditReader {
  const keyring = auditKeyring(database, ring);
  return {
    async find(query): Promise<TrailPage> {
      const total = await countEvents(database, query);
      const rows = query.size > 0 && total > 0 ? await selectEvents(database, query) : [];
      const page = rows.slice(0, query.size);
      const contents = await selectContents(database, page);
      const keys = await keyring(contents.map(({ keyId }) => keyId));
      const open = openingEntries(contents, keys);
      const entries = page.map(
        (row): RecordedEntry => ({
          ...open(row),
          streamId: row.streamId,
          n: row.n,
        }),
      );
      return { entries, total, hasMore: rows.length > query.size };
    },
  };
}

/** Opens entries by what they have for a content; one that is of many is opened once. */
function openingEntries(
  contents: readonly ContentRow[],
  keys: ReadonlyMap<string, IndexKey>,
): (row: EventRow) => AuditEntry {
  const byPlace = new Map(contents.map((content) => [placeOf(content.streamId, content.n), content]));
  const joint = new Map<string, JointContent>();
  return (row) => {
    const place = contentPlaceOf(row);
    const content = byPlace.get(place);
    if (!content) throw new MpiError("INDEX_DECRYPTION_FAILED");
    const key = keys.get(content.keyId);
    if (!key) throw new Error("An audit entry is sealed with a key that is not kept.");
    const { streamId, n, contentN } = row;
    if (contentN === null) return openEntry(key, row, content);
    const opened = joint.get(place) ?? openJointly(key, streamId, contentN, content);
    joint.set(place, opened);
    return entryAt(opened, Number(n - contentN), row);
  };
}

const NEWEST_FIRST = Prisma.sql`ORDER BY recorded_at DESC, stream_id DESC, n DESC`;

/** A larger group is asked for as a whole: a statement is not to become as long as a group is large. */
const MOST_ASKED_APART = 8;

/**
 * One more than the page holds: then there is a next page. The newest entries of one patient stand together in the index, so
 * those of a few are taken from there, and not sorted out of all that the patients have.
 */
async function selectEvents(database: Database, query: TrailQuery): Promise<EventRow[]> {
  const { patients, after, spans, size } = query;
  const within = [
    ...conditionsOf(spans),
    ...(after
      ? [Prisma.sql`(recorded_at, stream_id, n) < (${after.recordedAt}, ${after.streamId}, ${after.n})`]
      : []),
  ];
  const newestOf = (ofPatients: Prisma.Sql) => Prisma.sql`
    (SELECT stream_id, n, recorded_at, patient_id, content_n FROM audit_event
     WHERE ${Prisma.join([ofPatients, ...within], " AND ")} ${NEWEST_FIRST} LIMIT ${size + 1})`;
  const asked = [...new Set(patients)];
  const newest =
    asked.length > MOST_ASKED_APART
      ? newestOf(ofAnyOf(asked))
      : Prisma.join(
          asked.map((id) => newestOf(Prisma.sql`patient_id = ${id}`)),
          " UNION ALL ",
        );
  return await database.$queryRaw<EventRow[]>`
    SELECT stream_id AS "streamId", n, recorded_at AS "recordedAt", patient_id AS "patientId", content_n AS "contentN"
    FROM (${newest}) AS newest ${NEWEST_FIRST} LIMIT ${size + 1}`;
}

/** The contents of entries, each once: many are written together. */
async function selectContents(database: Database, rows: readonly EventRow[]): Promise<ContentRow[]> {
  const places = [...new Map(rows.map((row) => [contentPlaceOf(row), row])).values()];
  if (places.length === 0) return [];
  return await database.$queryRaw<ContentRow[]>`
    SELECT e.stream_id AS "streamId", e.n, e.key_id AS "keyId", e.content
    FROM unnest(${places.map(({ streamId }) => streamId)}::bigint[], ${places.map(({ n, contentN }) => contentN ?? n)}::bigint[])
      AS place (stream_id, n)
    JOIN audit_event e ON e.stream_id = place.stream_id AND e.n = place.n AND e.content IS NOT NULL`;
}

function contentPlaceOf({ streamId, n, contentN }: EventRow): string {
  return placeOf(streamId, contentN ?? n);
}

function placeOf(streamId: bigint, n: bigint): string {
  return `${streamId} ${n}`;
}

async function countEvents(database: Database, { patients, spans }: TrailQuery): Promise<number> {
  const conditions = Prisma.join([ofAnyOf(patients), ...conditionsOf(spans)], " AND ");
  const [row] = await database.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM audit_event WHERE ${conditions}`;
  return Number(row?.total ?? 0);
}

function ofAnyOf(patients: readonly bigint[]): Prisma.Sql {
  return Prisma.sql`patient_id = ANY(${[...patients]})`;
}

function conditionsOf(spans: TrailQuery["spans"]): Prisma.Sql[] {
  return spans.map(({ from, to, outside }) => {
    const span = Prisma.sql`(${from ? Prisma.sql`recorded_at >= ${from}` : Prisma.sql`true`}
      AND ${to ? Prisma.sql`recorded_at <= ${to}` : Prisma.sql`true`})`;
    return outside ? Prisma.sql`NOT ${span}` : span;
  });
}
