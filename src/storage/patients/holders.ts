import { Prisma } from "../../../prisma/gen/client.ts";
import { blind, type IndexKeys, keysInUse } from "../../identifier-index/index.ts";
import type { IdentifierToken } from "../../identifiers/index.ts";
import type { Database } from "../database.ts";

/** Ids of the patients who hold any of these identifiers themselves, ascending. */
export async function holdersOfAny(
  database: Database,
  keys: IndexKeys,
  identifiers: readonly IdentifierToken[],
): Promise<bigint[]> {
  const found = await Promise.all(identifiers.map((identifier) => selectHolders(database, keys, identifier)));
  return [...new Set(found.flat())].sort((a, b) => (a < b ? -1 : 1));
}

/** Ids of the patients who hold an identifier; ended identifiers count like others. */
async function selectHolders(database: Database, keys: IndexKeys, token: IdentifierToken): Promise<bigint[]> {
  const hashes = keysInUse(keys).map((key) => blind(key, token.value));
  const scope = [
    Prisma.sql`value_hmac IN (${Prisma.join(hashes)})`,
    ...(token.country ? [Prisma.sql`country = ${token.country}`] : []),
    ...(token.type ? [Prisma.sql`type = ${token.type}`] : []),
  ];
  const rows = await database.$queryRaw<{ id: bigint }[]>`
    SELECT DISTINCT patient_id AS id FROM identifier WHERE ${Prisma.join(scope, " AND ")} ORDER BY id`;
  return rows.map((row) => row.id);
}
