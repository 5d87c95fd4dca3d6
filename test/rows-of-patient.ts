import { onServer } from "./database.ts";

/** Rows of a patient by table, and whether the head of the audit chain is its entry. */
export async function rowsOfPatient(databaseUrl: string, id: string): Promise<Record<string, number>> {
  const tables = ["patient", "patient_history", "identifier", "identifier_value", "block_key", "audit_event"];
  return await onServer(databaseUrl, async (client) => {
    const counts: [string, number][] = [];
    for (const table of tables) {
      const column = table.startsWith("patient") ? "id" : "patient_id";
      const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`, [
        id,
      ]);
      counts.push([table, rows[0].n]);
    }
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM audit_stream JOIN audit_event USING (stream_id, n, hash)
       WHERE stream_id = $1 AND hash = sha256(digest)`,
      [id],
    );
    return Object.fromEntries([...counts, ["chain", rows[0].n]]);
  });
}
