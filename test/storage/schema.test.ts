import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { SchemaEngine } from "@prisma/schema-engine-wasm";
import type pg from "pg";
import { expect, test } from "vitest";
import { createEmptyDatabase, createTestDatabase, onServer, type TestDatabase } from "../database.ts";

const SCHEMA = join(import.meta.dirname, "..", "..", "prisma", "schema.prisma");

// What Prisma's schema language cannot say, and the migrations have on top of it.
const ONLY_IN_MIGRATIONS = [
  ...["patient_id", "audit_lane"].map((name) => `sequence ${name} bigint 1..9223372036854775807 by 1`),
  "index CREATE INDEX patient_inactive_idx ON public.patient USING btree (id) WHERE (NOT active)",
  "index CREATE INDEX patient_deceased_idx ON public.patient USING btree (id) WHERE deceased",
  "index CREATE INDEX outbox_waiting_idx ON public.outbox USING btree (kind, at, patient_id, n) WHERE (kind <> 'change'::text)",
  "index CREATE INDEX outbox_change_idx ON public.outbox USING btree (at, patient_id, n) WHERE (kind = 'change'::text)",
];

// Everything in the public schema but Prisma's record of migrations, a line each.
const CATALOGUE = `
  WITH owned AS (
    SELECT c.oid, c.relname, c.relkind FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname !~ '^_prisma_migrations'
  )
  SELECT concat_ws(' ', 'relation', relkind, relname) AS line FROM owned WHERE relkind NOT IN ('i', 'S')
  UNION ALL
  SELECT concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod),
                   CASE WHEN attnotnull THEN 'NOT NULL' END, attidentity, attgenerated,
                   'DEFAULT ' || pg_get_expr(adbin, adrelid))
  FROM owned JOIN pg_attribute ON attrelid = owned.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relkind NOT IN ('i', 'S')
  UNION ALL
  SELECT concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid))
  FROM owned JOIN pg_constraint c ON conrelid = owned.oid WHERE contype <> 'n'
  UNION ALL
  SELECT concat_ws(' ', 'index', pg_get_indexdef(indexrelid)) FROM owned JOIN pg_index ON indrelid = owned.oid
  UNION ALL
  SELECT format('sequence %s %s %s..%s by %s', relname, format_type(seqtypid, NULL), seqmin, seqmax, seqincrement)
  FROM owned JOIN pg_sequence ON seqrelid = owned.oid
  UNION ALL
  SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid))
  FROM owned JOIN pg_trigger t ON tgrelid = owned.oid WHERE NOT tgisinternal
  UNION ALL
  SELECT concat_ws(' ', 'function', oid::regprocedure) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
  UNION ALL
  SELECT concat_ws(' ', 'enum', typname, enumlabel) FROM pg_type JOIN pg_enum ON enumtypid = pg_type.oid
  WHERE typnamespace = 'public'::regnamespace`;

test("the migrations make what schema.prisma says, and what it cannot say by name", async () => {
  const migrated = await inDatabase(createTestDatabase(), async (client) => catalogueOf(client));
  const written = await inDatabase(createEmptyDatabase(), async (client, url) => {
    await client.query(await scriptOfSchema(url));
    return catalogueOf(client);
  });

  expect(written).not.toEqual([]);
  expect(lines(migrated).difference(lines(written))).toEqual(new Set(ONLY_IN_MIGRATIONS));
  expect(lines(written).difference(lines(migrated))).toEqual(new Set());
});

function lines(catalogue: readonly string[]): Set<string> {
  return new Set(catalogue);
}

async function inDatabase<T>(
  made: Promise<TestDatabase>,
  action: (client: pg.Client, url: string) => Promise<T>,
): Promise<T> {
  const database = await made;
  try {
    return await onServer(database.url, (client) => action(client, database.url));
  } finally {
    await database.drop();
  }
}

async function catalogueOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(CATALOGUE);
  return rows.map((row) => row.line);
}

/** The statements that Prisma would make the whole schema with. */
async function scriptOfSchema(url: string): Promise<string> {
  const file = { path: "schema.prisma", content: await readFile(SCHEMA, "utf8") };
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: url }));
  const engine = await SchemaEngine.new(
    { datamodels: [[file.path, file.content]] },
    () => undefined,
    adapter,
  );
  try {
    const { stdout } = await engine.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files: [file] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? "";
  } finally {
    engine.free();
  }
}
