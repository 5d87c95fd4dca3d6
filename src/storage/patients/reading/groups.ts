import { Prisma } from "../../../../prisma/gen/client.ts";
import type { IndexKeys } from "../../../identifier-index/index.ts";
import type { GroupMember, PlaceInGroup, StoredPatient } from "../../../patients/ports.ts";
import type { Database, Transaction } from "../../connection/database.ts";
import { SEALED_VALUES } from "../../sealing/sealed-rows.ts";
import { slicesBehind, withinPageBytes } from "../../sealing/stored-bytes.ts";
import { contentOf, type Reading, readingOf } from "../../sealing/unreadable.ts";
import { timestampTexts } from "../../versions/timestamps.ts";
import { holdsAt, type Membership, selectMemberships } from "./memberships.ts";
import { type PatientRow, patientOf } from "./stored-patient.ts";

type Groups = ReadonlyMap<PatientRow, readonly GroupMember[]>;

/** The patients of rows; MPI-003 when one of them does not open. */
export async function storedPatients(
  database: Database | Transaction,
  keys: IndexKeys,
  rows: readonly PatientRow[],
): Promise<StoredPatient[]> {
  return (await readingsOf(database, keys, rows)).map(({ reading }) => contentOf(reading));
}

/** The patients of rows, as far as they can be read: the others are named. */
export async function readablePatients(
  database: Database | Transaction,
  keys: IndexKeys,
  rows: readonly PatientRow[],
): Promise<{ readonly patients: StoredPatient[]; readonly unreadable: bigint[] }> {
  const readings = await readingsOf(database, keys, rows);
  return {
    patients: readings.flatMap(({ reading }) => ("content" in reading ? [reading.content] : [])),
    unreadable: readings.flatMap(({ row, reading }) => ("unreadable" in reading ? [row.id] : [])),
  };
}

/** A row, and what it holds. */
interface ReadRow<Row> {
  readonly row: Row;
  readonly reading: Reading<StoredPatient>;
}

/**
 * What rows hold, each patient with its place in its group as of the time of its version. For primaries the groups
 * are read too, by two statements however many they are, and more only where their documents are larger than a page;
 * other rows ask for nothing more.
 */
export async function readingsOf<Row extends PatientRow>(
  database: Database | Transaction,
  keys: IndexKeys,
  rows: readonly Row[],
): Promise<ReadRow<Row>[]> {
  const groups = await readGroups(database, keys, rows.filter(isPrimary));
  return rows.map((row) => {
    const group = placeOf(row, groups);
    return { row, reading: readingOf(() => ({ patient: patientOf(keys, row), ...(group && { group }) })) };
  });
}

function isPrimary(row: PatientRow): boolean {
  return row.rootId === row.id;
}

function placeOf(row: PatientRow, groups: Groups): PlaceInGroup | undefined {
  if (row.rootId === null) return undefined;
  if (!isPrimary(row)) return { role: "secondary", primaryId: row.rootId };
  return { role: "primary", members: groups.get(row) ?? [] };
}

async function readGroups(
  database: Database | Transaction,
  keys: IndexKeys,
  primaries: readonly PatientRow[],
): Promise<Groups> {
  if (primaries.length === 0) return new Map();
  const times = primaries.map(({ updatedAt }) => updatedAt.getTime());
  const memberships = await selectMemberships(
    database,
    [...new Set(primaries.map(({ id }) => id))],
    [new Date(Math.min(...times)), new Date(Math.max(...times))],
  );
  const byRoot = Map.groupBy(memberships, ({ rootId }) => rootId);
  const wanted = primaries.map((primary) => ({
    primary,
    members: (byRoot.get(primary.id) ?? []).filter((member) => holdsAt(member, primary.updatedAt)),
  }));
  const asked = wanted.flatMap(({ primary, members }) =>
    members.map(({ memberId }) => ({ id: memberId, at: primary.updatedAt })),
  );
  const versions: MemberVersion[] = [];
  for await (const rows of versionsAt(database, asked)) {
    for (const row of rows) versions.push(identifiersIn(keys, row));
  }
  const byMember = Map.groupBy(versions, ({ id }) => id);
  return new Map(
    wanted.map(({ primary, members }) => [
      primary,
      members.map((member) => groupMember(member, byMember.get(member.memberId) ?? [], primary.updatedAt)),
    ]),
  );
}

/** What a group shows of a version of a member: the rest of it, which may be large, is not kept. */
interface MemberVersion extends Pick<PatientRow, "id" | "updatedAt"> {
  readonly reading: Reading<GroupMember["identifiers"]>;
}

function identifiersIn(keys: IndexKeys, row: PatientRow): MemberVersion {
  const { id, updatedAt } = row;
  return { id, updatedAt, reading: readingOf(() => patientOf(keys, row).identifier) };
}

function groupMember(
  { memberId, primaryId, linkedAt }: Membership,
  versions: readonly MemberVersion[],
  at: Date,
): GroupMember {
  const current = versions.findLast(({ updatedAt }) => updatedAt <= at);
  if (!current) throw new Error(`Patient ${memberId} was linked before it was there.`);
  const member = { id: memberId, linkedTo: primaryId, linkedAt };
  const { reading } = current;
  return "content" in reading
    ? { ...member, identifiers: reading.content }
    : { ...member, identifiers: [], isUnreadable: true };
}

/** Which version of a patient. */
type Place = Pick<PatientRow, "id" | "version">;

interface AskedVersion {
  readonly id: bigint;
  readonly at: Date;
}

/** The versions that patients had at instants, each once, oldest first; in slices, each about as large as a page. */
function versionsAt(
  database: Database | Transaction,
  asked: readonly AskedVersion[],
): AsyncGenerator<readonly PatientRow[]> {
  return slicesBehind<Place, PatientRow>({ id: 0n, version: 0 }, async (after) => {
    const behind = asked.filter(({ id }) => id >= after.id);
    return behind.length === 0 ? [] : await selectVersionsAt(database, behind, after);
  });
}

/** Those behind a place, as far as they fit on a page, and the next one. */
async function selectVersionsAt(
  database: Database | Transaction,
  asked: readonly AskedVersion[],
  after: Place,
): Promise<PatientRow[]> {
  const versions = Prisma.sql`
    SELECT p.id, p.version, p.updated_at AS "updatedAt", p.root_id AS "rootId", p.document,
      ${SEALED_VALUES} AS sealed
    FROM (SELECT DISTINCT wanted.id, latest.version
        FROM unnest(${asked.map(({ id }) => id)}::bigint[],
          ${timestampTexts(asked.map(({ at }) => at))}::text[]) AS wanted (id, at)
        CROSS JOIN LATERAL (SELECT version FROM patient_history h
          WHERE h.id = wanted.id AND h.updated_at <= wanted.at::timestamp(3)
          ORDER BY updated_at DESC, version DESC LIMIT 1) AS latest
        WHERE (wanted.id, latest.version) > (${after.id}, ${after.version})) AS needed
    JOIN patient_history p ON p.id = needed.id AND p.version = needed.version
    LEFT JOIN identifier_value v ON v.patient_id = p.id AND v.owner = p.id
    GROUP BY p.id, p.version`;
  return await database.$queryRaw<PatientRow[]>(withinPageBytes(versions, Prisma.sql`id, version`));
}
