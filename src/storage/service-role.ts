import type pg from "pg";
import { asOwner } from "./connection/as-owner.ts";
import { JOB_QUEUE_SCHEMA } from "./jobs/job-queue.ts";

/**
 * Gives a role, which must be there, what a process of the service needs of a migrated database, and takes what it does not:
 * it reads and writes rows, but cannot change tables, nor entries of the audit trail. Asked with the rights of the owner of
 * the tables; can be repeated. Refused for a role that owns them: what is taken from it the next migration needs, and as
 * the owner it could give itself the rest again.
 */
export async function grantService(url: string, role: string): Promise<void> {
  await asOwner(url, async (client) => {
    if (await actsAsOwner(client, role)) {
      throw new Error(
        `Role ${role} owns the tables, or may act as who does: the service needs a role of its own.`,
      );
    }
    const schemas = ["public", ...((await hasJobQueue(client)) ? [JOB_QUEUE_SCHEMA] : [])];
    const grants = grantsTo(client.escapeIdentifier(role), schemas);
    await client.query(["BEGIN", ...grants, "COMMIT"].join(";\n"));
  });
}

/** A superuser may act as anybody. */
async function actsAsOwner(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ acts: boolean }>(
    "SELECT pg_has_role($1::name, relowner, 'MEMBER') AS acts FROM pg_class WHERE oid = 'audit_event'::regclass",
    [role],
  );
  return rows.some(({ acts }) => acts);
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
