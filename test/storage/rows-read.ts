import { type Database, openDatabase } from "../../src/storage/connection/database.ts";

/** A database on which it can be counted what is read: it has one connection. */
export interface CountedDatabase {
  readonly database: Database;
  /** How many rows of a table, and entries of its indexes, the database goes through for some work. */
  rowsRead(table: string, work: () => Promise<unknown>): Promise<number>;
}

/** Of small tables the server would rather read all; on this connection it plans as for those of an index in use. */
const AS_IF_LARGE = "-c enable_seqscan=off";

export function countedDatabase(address: string): CountedDatabase {
  const url = new URL(address);
  url.searchParams.set("options", AS_IF_LARGE);
  const database = openDatabase({
    url: url.href,
    poolSize: 1,
    preparedStatements: true,
    onConnectionError: () => {},
  });
  const soFar = async (table: string) => {
    // What this connection has counted is with the others only from then on.
    await database.$queryRaw`SELECT pg_stat_force_next_flush()`;
    const [row] = await database.$queryRaw<{ rows: bigint }[]>`
      SELECT (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = ${table})::bigint
        + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ${table})::bigint AS rows`;
    return Number(row?.rows);
  };
  return {
    database,
    async rowsRead(table, work) {
      const before = await soFar(table);
      await work();
      return (await soFar(table)) - before;
    },
  };
}
