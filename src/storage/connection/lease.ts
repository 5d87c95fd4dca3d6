import { Prisma } from "../../../prisma/gen/client.ts";
import type { Lease } from "../../deliveries/ports.ts";
import { latestSet } from "../../time/set-back.ts";
import type { Database } from "./database.ts";

/**
 * What is held is held by the clock of the database: by its own a process whose clock is ahead would keep it from the
 * others long after it has died. It is asked for, and given to statements, since those of a cluster may ask no clock.
 */
export async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.$queryRaw<{ now: Date }[]>`
    SELECT (clock_timestamp() AT TIME ZONE 'UTC')::timestamp(3) AS now`;
  if (!row) throw new Error("The database does not say what time it is.");
  return row.now;
}

/** So many milliseconds later. */
export function later(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}

/** Whether what is held until that time, for so many milliseconds at most, is held no longer, be it that the clock was set back. */
export function isOver(heldUntil: Prisma.Sql, now: Date, milliseconds: number): Prisma.Sql {
  return Prisma.sql`(${heldUntil} <= ${now} OR ${heldUntil} > ${latestSet(now, milliseconds)})`;
}

/** A row that one holder has at a time, until it gives it back or its time runs out. */
export function leaseOf(database: Database, name: string): Lease {
  return {
    async lease(holder, milliseconds) {
      const now = await databaseTime(database);
      const taken = await database.$executeRaw`
        UPDATE lease SET holder = ${holder}, held_until = ${later(now, milliseconds)}
        WHERE name = ${name} AND (holder IS NULL OR holder = ${holder} OR ${isOver(Prisma.sql`held_until`, now, milliseconds)})`;
      return taken > 0;
    },
    async renew(holder, milliseconds) {
      const now = await databaseTime(database);
      const renewed = await database.$executeRaw`
        UPDATE lease SET held_until = ${later(now, milliseconds)} WHERE name = ${name} AND holder = ${holder}`;
      return renewed > 0;
    },
    async release(holder) {
      await database.$executeRaw`
        UPDATE lease SET holder = NULL, held_until = NULL WHERE name = ${name} AND holder = ${holder}`;
    },
  };
}
