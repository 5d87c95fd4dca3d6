import { ambientTransaction } from "../connection/ambient-transaction.ts";
import type { Database } from "../connection/database.ts";
import { KnownNames } from "./known-names.ts";

export function knownNames(database: Database): KnownNames {
  return new KnownNames(
    async (variants, forms) => {
      await database.$executeRaw`
        INSERT INTO name_variant (variant, form)
        SELECT * FROM unnest(${[...variants]}::bigint[], ${[...forms]}::text[]) ON CONFLICT DO NOTHING`;
    },
    () => ambientTransaction(database) !== undefined,
  );
}

/** Names that are stored under any of these variants. */
export async function selectForms(database: Database, variants: readonly bigint[]): Promise<string[]> {
  if (variants.length === 0) return [];
  const rows = await database.$queryRaw<{ form: string }[]>`
    SELECT DISTINCT form FROM name_variant WHERE variant = ANY(${[...variants]}::bigint[])`;
  return rows.map(({ form }) => form);
}
