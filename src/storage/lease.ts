import type { Lease } from "../deliveries/ports.ts";
import type { Database } from "./connection/database.ts";

/** A row that one holder has at a time, until it gives it back or its time runs out. */
export function leaseOf(database: Database, name: string): Lease {
  return {
    async lease(holder, now, milliseconds) {
      const until = new Date(now.getTime() + milliseconds);
      const taken = await database.$executeRaw`
        UPDATE lease SET holder = ${holder}, held_until = ${until}
        WHERE name = ${name} AND (holder IS NULL OR holder = ${holder} OR held_until <= ${now})`;
      return taken > 0;
    },
    async release(holder) {
      await database.$executeRaw`
        UPDATE lease SET holder = NULL, held_until = NULL WHERE name = ${name} AND holder = ${holder}`;
    },
  };
}
