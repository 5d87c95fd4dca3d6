import { Prisma } from "../../../../prisma/gen/client.ts";
import type { Database } from "../../connection/database.ts";

/** An identifier as the blind index knows it: a hash for each key that is in use. */
export interface IndexedIdentifier {
  readonly hashes: readonly Uint8Array<ArrayBuffer>[];
  /** Any when undefined. */
  readonly country: string | undefined;
  readonly type: string | undefined;
}

/** Ids of the patients who hold an identifier. */
export async function selectHolders(
  database: Database,
  { hashes, country, type }: IndexedIdentifier,
): Promise<bigint[]> {
  const scope = [
    Prisma.sql`value_hmac IN (${Prisma.join(hashes)})`,
    ...(country ? [Prisma.sql`country = ${country}`] : []),
    ...(type ? [Prisma.sql`type = ${type}`] : []),
  ];
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    SELECT DISTINCT patient_id AS id FROM identifier WHERE ${Prisma.join(scope, " AND ")} ORDER BY id`;
  return rows.map((row) => row.id);
}

/** The same for several identifiers, in one statement; who has no holder is missing from the map. */
export async function selectHoldersOfEach(
  database: Database,
  identifiers: readonly IndexedIdentifier[],
): Promise<ReadonlyMap<IndexedIdentifier, readonly bigint[]>> {
  const [only] = identifiers;
  if (only && identifiers.length === 1) return new Map([[only, await selectHolders(database, only)]]);
  const wanted = hashesOf(identifiers);
  // The subselect keeps its OFFSET, so that each hash is looked up by the index and the table is never joined whole.
  const rows = await database.$queryRaw<{ place: number; id: bigint }[]>`
    SELECT DISTINCT wanted.place, held.id
    FROM unnest(${wanted.map(({ hash }) => hash)}::bytea[], ${wanted.map(({ country }) => country ?? "")}::text[],
      ${wanted.map(({ type }) => type ?? "")}::text[], ${wanted.map(({ place }) => place)}::int[])
      AS wanted (hash, country, type, place)
    CROSS JOIN LATERAL (SELECT patient_id AS id FROM identifier i
      WHERE i.value_hmac = wanted.hash AND wanted.country IN ('', i.country) AND wanted.type IN ('', i.type)
      OFFSET 0) AS held`;
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return new Map(
    [...byPlace].flatMap(([place, found]) => {
      const identifier = identifiers[place];
      return identifier ? [[identifier, found.map(({ id }) => id)] as const] : [];
    }),
  );
}

/** Each hash of each identifier, with the place of the identifier. */
export function hashesOf(identifiers: readonly IndexedIdentifier[]) {
  return identifiers.flatMap(({ hashes, country, type }, place) =>
    hashes.map((hash) => ({ hash, country, type, place })),
  );
}
