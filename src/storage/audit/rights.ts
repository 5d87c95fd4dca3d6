import type { Database } from "../connection/database.ts";

/** Whether the role of this process could change or remove audit entries; a superuser always can. */
export async function mayChangeEntries(database: Database): Promise<boolean> {
  const [row] = await database.$queryRaw<{ may: boolean }[]>`
    SELECT has_table_privilege('audit_event', 'UPDATE') OR has_table_privilege('audit_event', 'DELETE')
      OR has_table_privilege('audit_event', 'TRUNCATE') AS may`;
  return row?.may ?? true;
}
