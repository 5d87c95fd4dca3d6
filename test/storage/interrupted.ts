import type { Database } from "../../src/storage/connection/database.ts";

/** The database, with something that another process does right after the how-manieth query on it. */
export function interrupted(database: Database, query: number, elsewhere: () => Promise<void>): Database {
  let queries = 0;
  const $queryRaw = async (...parts: Parameters<Database["$queryRaw"]>) => {
    const rows = await database.$queryRaw(...parts);
    if (++queries === query) await elsewhere();
    return rows;
  };
  return new Proxy(database, {
    get: (target, property) => (property === "$queryRaw" ? $queryRaw : Reflect.get(target, property)),
  });
}
