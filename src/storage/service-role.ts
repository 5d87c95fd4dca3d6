import pg from "pg";
import { JOB_QUEUE_SCHEMA } from "./jobs/job-queue.ts";

/**
 * Gives a role, which must be there, what a process of the service needs of a migrated database, and takes what it does not:
 * it reads and writes rows, but cannot change tables, nor entries of the audit trail. Asked with the rights of the owner of
 * the tables; can be repeated.
 */
export async function grantService(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks fails its statement; without a listener it would end the process besides.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const schemas = ["public", ...((await hasJobQueue(client)) ? [JOB_QUEUE_SCHEMA] : [])];
    const grants = grantsTo(client.escapeIdentifier(role), schemas);
    await client.query(["BEGIN", ...grants, "COMMIT"].join(";\n"));
  } finally {
    await client.end();
  }
}

/** The queue of jobs may lie in another database. */
async function hasJobQueue(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_namespace WHERE nspname = $1", [JOB_QUEUE_SCHEMA]);
  return rowCount === 1;
}

function grantsTo(role: string, schemas: readonly string[]): string[] {
  return [
    ...schemas.flatMap((schema) => [
      `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    ]),
    `REVOKE UPDATE, DELETE, TRUNCATE ON audit_event FROM ${role}`,
    `REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON _prisma_migrations FROM ${role}`,
  ];
}
