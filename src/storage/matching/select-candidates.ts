import { Prisma } from "../../../prisma/gen/client.ts";
import type { Block, CandidatePair, SoughtKeys } from "../../matching/index.ts";
import type { Database } from "../connection/database.ts";

/** A block that more share than this is looked at in part: nobody has so many records. */
const MOST_OF_BLOCK = 500;
const MOST_OF_SCANNED_BLOCK = 200;
/** What a block counts; two make it worth to compare. */
const NARROW = 2;
const WIDE = 1;

interface Sharing {
  readonly id: bigint;
  /** Whether one of the blocks that it shares is narrow. */
  readonly isNear: boolean;
}

/** Those who share most with these blocks. */
export async function selectSharing(
  database: Database,
  blocks: readonly Block[],
  limit: number,
): Promise<Sharing[]> {
  if (blocks.length === 0) return [];
  return await database.$queryRaw<Sharing[]>`
    SELECT found.patient_id AS id, max(wanted.weight) = ${NARROW} AS "isNear"
    FROM unnest(${blocks.map(({ key }) => key)}::bigint[], ${blocks.map(weightOf)}::int[]) AS wanted (key, weight)
    CROSS JOIN LATERAL (SELECT patient_id FROM block_key WHERE block_key.key = wanted.key LIMIT ${MOST_OF_BLOCK}) AS found
    GROUP BY found.patient_id ORDER BY sum(wanted.weight) DESC, found.patient_id LIMIT ${limit}`;
}

/**
 * Whether a row `p` of patient is of nobody among these who was born on quite another day than this one, by the columns
 * that searches go by. Two of year, month and day are the same, or month and day have changed places, or it is not known.
 */
export function isNotBornElsewhen(date: string, ids: readonly bigint[]): Prisma.Sql {
  const [year, month, day] = date.split("-").map(Number);
  return Prisma.sql`(p.id = ANY(${[...ids]}::bigint[]) AND p.birth_from = p.birth_to
    AND (extract(year FROM p.birth_from) = ${year})::int + (extract(month FROM p.birth_from) = ${month})::int
      + (extract(day FROM p.birth_from) = ${day})::int < 2
    AND NOT (extract(year FROM p.birth_from) = ${year} AND extract(month FROM p.birth_from) = ${day}
      AND extract(day FROM p.birth_from) = ${month})) IS NOT TRUE`;
}

/** Pairs of these patients and those behind them who share enough to be compared. */
export async function selectPairs(
  database: Database,
  subjects: readonly { readonly id: bigint; readonly blocks: readonly Block[] }[],
): Promise<CandidatePair[]> {
  const wanted = subjects.flatMap(({ id, blocks }) => blocks.map((block) => ({ id, block })));
  if (wanted.length === 0) return [];
  return await database.$queryRaw<CandidatePair[]>`
    SELECT wanted.id, found.patient_id AS "otherId"
    FROM unnest(${wanted.map(({ id }) => id)}::bigint[], ${wanted.map(({ block }) => block.key)}::bigint[],
      ${wanted.map(({ block }) => weightOf(block))}::int[]) AS wanted (id, key, weight)
    CROSS JOIN LATERAL (SELECT patient_id FROM block_key
      WHERE block_key.key = wanted.key AND block_key.patient_id > wanted.id
      ORDER BY patient_id LIMIT ${MOST_OF_SCANNED_BLOCK}) AS found
    GROUP BY wanted.id, found.patient_id HAVING sum(wanted.weight) >= ${NARROW}`;
}

/** Ids of those who have a key of each list, ascending. */
export async function selectKeyHolders(
  database: Database,
  { lists, common }: SoughtKeys,
  limit: number,
): Promise<bigint[]> {
  if (lists.some((keys) => keys.length === 0)) return [];
  const held =
    common && lists.length > 0
      ? commonAmong(common, holdersOfEach(lists))
      : holdersOfEach(common ? [common] : lists);
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    SELECT DISTINCT id FROM (${held}) AS held ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

function holdersOfEach(lists: readonly (readonly bigint[])[]): Prisma.Sql {
  const holders = lists.map(
    (keys) => Prisma.sql`SELECT patient_id AS id FROM block_key WHERE key = ANY(${[...keys]}::bigint[])`,
  );
  return Prisma.join(holders, " INTERSECT ");
}

/** With its limit each of the others is looked up by itself, where the server would rather read all who have the keys. */
function commonAmong(keys: readonly bigint[], others: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT other.id FROM (${others}) AS other CROSS JOIN LATERAL (
    SELECT FROM block_key WHERE key = ANY(${[...keys]}::bigint[]) AND patient_id = other.id LIMIT 1) AS held`;
}

/** Names that are stored under any of these variants. */
export async function selectForms(database: Database, variants: readonly bigint[]): Promise<string[]> {
  if (variants.length === 0) return [];
  const rows = await database.$queryRaw<{ form: string }[]>`
    SELECT DISTINCT form FROM name_variant WHERE variant = ANY(${[...variants]}::bigint[])`;
  return rows.map(({ form }) => form);
}

function weightOf({ isNarrow }: Block): number {
  return isNarrow ? NARROW : WIDE;
}
