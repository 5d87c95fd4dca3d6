import { type Database, openDatabase } from "../../src/storage/database.ts";

/** A database on which it can be counted what is read: it has one connection. */
export interface CountedDatabase {
  readonly database: Database;
  /** How many rows and entries of indexes the database goes through for some work. */
  rowsRead(work: () => Promise<unknown>): Promise<number>;
}

export function countedDatabase(url: string): CountedDatabase {
  const database = openDatabase({ url, poolSize: 1, preparedStatements: true, onConnectionError: () => {} });
  const soFar = async () => {
    // What this connection has counted is with the others only from then on.
    await database.$queryRaw`SELECT pg_stat_force_next_flush()`;
    const [row] = await database.$queryRaw<{ rows: bigint }[]>`
      SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)::bigint
        + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)::bigint AS rows`;
    return Number(row?.rows);
  };
  return {
    database,
    async rowsRead(work) {
      const before = await soFar();
      await work();
      return (await soFar()) - before;
    },
  };
}
