import { Prisma } from "../../../prisma/gen/client.ts";
import type { Findings, JobKey, JobStore, JobType } from "../../jobs/index.ts";
import type { Database } from "../connection/database.ts";
import { databaseTime, isOver, later } from "../connection/lease.ts";

type HeldJobs = Pick<JobStore, "claim" | "renew" | "save" | "end" | "giveBack" | "unattended" | "noteRound">;

/** Jobs as those who run them keep them: every statement is one row that the holder must still hold. */
export function heldJobs(database: Database): HeldJobs {
  return {
    async claim(key, { holder, now, milliseconds }) {
      const databaseNow = await databaseTime(database);
      const [claimed] = await database.$queryRaw<{ checkpoint: string | null; attempts: number }[]>`
        UPDATE job SET state = 'running', holder = ${holder}, held_until = ${later(databaseNow, milliseconds)},
          began_at = coalesce(began_at, ${now}), ${changed(now)},
          done = CASE WHEN checkpoint IS NULL THEN 0 ELSE done END,
          problems = CASE WHEN checkpoint IS NULL THEN 0 ELSE problems END
        WHERE ${is(key)} AND (state = 'queued' OR (state = 'running' AND ${isHeldNoLonger(databaseNow, milliseconds)}))
        RETURNING checkpoint, attempts`;
      if (claimed) return { checkpoint: claimed.checkpoint ?? undefined, attempts: claimed.attempts };
      // Queued: it was given back since.
      const [open] = await database.$queryRaw<unknown[]>`
        SELECT n FROM job WHERE ${is(key)} AND state IN ('queued', 'running')`;
      return open ? "held" : "over";
    },
    async renew(key, { holder, milliseconds }) {
      const until = later(await databaseTime(database), milliseconds);
      const [held] = await database.$queryRaw<{ cancelling: boolean }[]>`
        UPDATE job SET held_until = ${until} WHERE ${isHeld(key, holder)} RETURNING cancelling`;
      if (!held) return "lost";
      return held.cancelling ? "cancelling" : "held";
    },
    async save(key, holder, saved, now) {
      const { done, total, checkpoint } = saved;
      const updated = await database.$executeRaw`
        UPDATE job SET done = coalesce(${done ?? null}::bigint, done), total = coalesce(${total ?? null}::bigint, total),
          attempts = CASE WHEN ${checkpoint ?? null}::text IS NULL THEN attempts ELSE 0 END,
          checkpoint = coalesce(${checkpoint ?? null}::text, checkpoint), ${found(saved, now)}, ${changed(now)}
        WHERE ${isHeld(key, holder)}`;
      return updated > 0;
    },
    async end(key, holder, { state, ...findings }, now) {
      const updated = await database.$executeRaw`
        UPDATE job SET state = ${state}, ended_at = ${now}, holder = NULL, held_until = NULL,
          ${found(findings, now)}, ${changed(now)}
        WHERE ${isHeld(key, holder)}`;
      return updated > 0;
    },
    async giveBack(key, holder, failed, now) {
      await database.$executeRaw`
        UPDATE job SET state = 'queued', holder = NULL, held_until = NULL,
          attempts = attempts + ${failed ? 1 : 0}, ${changed(now)}
        WHERE ${isHeld(key, holder)}`;
    },
    async unattended(waitingSince, milliseconds) {
      const now = await databaseTime(database);
      const rows = await database.$queryRaw<{ type: JobType; n: number; id: string }[]>`
        SELECT type, n, message_id::text AS id FROM job
        WHERE (state = 'queued' AND (changed_at <= ${waitingSince} OR changed_at > ${later(waitingSince, AHEAD_MS)}))
          OR (state = 'running' AND ${isHeldNoLonger(now, milliseconds)})`;
      return rows.map(({ id, type, n }) => ({ id, key: { type, n } }));
    },
    async noteRound(type, done, findings, now) {
      await database.$executeRaw`
        UPDATE job SET done = done + ${done}, began_at = coalesce(began_at, ${now}),
          ${found(findings, now)}, ${changed(now)}
        WHERE ${is({ type, n: 0 })}`;
    },
  };
}

/** Who changed a job so much later than it is now had a clock that was set back since, or is wrong: its message may wait for that time. */
const AHEAD_MS = 60_000;

function isHeldNoLonger(now: Date, milliseconds: number): Prisma.Sql {
  return isOver(Prisma.sql`held_until`, now, milliseconds);
}

function is({ type, n }: JobKey): Prisma.Sql {
  return Prisma.sql`type = ${type} AND n = ${n}`;
}

function isHeld(key: JobKey, holder: string): Prisma.Sql {
  return Prisma.sql`${is(key)} AND state = 'running' AND holder = ${holder}`;
}

/** Later than before, so that whoever watches sees every change. */
function changed(now: Date): Prisma.Sql {
  return Prisma.sql`changed_at = greatest(${now}, changed_at + interval '1 millisecond')`;
}

function found({ problems, lastError }: Findings, now: Date): Prisma.Sql {
  const count = Prisma.sql`problems = problems + ${problems}`;
  if (!lastError) return count;
  return Prisma.sql`${count}, last_error = ${JSON.stringify(lastError)}, last_error_at = ${now}`;
}
