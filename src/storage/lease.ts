import { Prisma } from "../../prisma/gen/client.ts";
import type { Lease } from "../deliveries/ports.ts";
import type { Database } from "./connection/database.ts";

/**
 * What is held is held by the clock of the database: by its own a process whose clock is ahead would keep it from the
 * others long after it has died.
 */
export const DATABASE_TIME = Prisma.sql`(clock_timestamp() AT TIME ZONE 'UTC')`;

export function heldFor(milliseconds: number): Prisma.Sql {
  return Prisma.sql`(${DATABASE_TIME} + ${milliseconds}::int * interval '1 millisecond')`;
}

/** A row that one holder has at a time, until it gives it back or its time runs out. */
export function leaseOf(database: Database, name: string): Lease {
  return {
    async lease(holder, milliseconds) {
      const taken = await database.$executeRaw`
        UPDATE lease SET holder = ${holder}, held_until = ${heldFor(milliseconds)}
        WHERE name = ${name} AND (holder IS NULL OR holder = ${holder} OR held_until <= ${DATABASE_TIME})`;
      return taken > 0;
    },
    async release(holder) {
      await database.$executeRaw`
        UPDATE lease SET holder = NULL, held_until = NULL WHERE name = ${name} AND holder = ${holder}`;
    },
  };
}
