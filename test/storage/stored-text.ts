import pg from "pg";

/** Everything that the tables of a database hold, as text: numbers, texts, and bytes both as hex and as UTF-8. */
export async function storedText(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
      texts.push(...rows.flatMap((row) => Object.values(row).map(textOf)));
    }
    return texts.join("\n");
  } finally {
    await client.end();
  }
}

function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return `${value.toString("hex")} ${value.toString("utf8")}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
