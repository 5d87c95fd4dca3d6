import type pg from "pg";

/** Statements whose texts are always the same, each with a name of its own. */
export interface NamedStatements {
  query<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]>;
}

/** One of them with its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Sends statements one after the other, and waits for all of them. */
export async function send(statements: NamedStatements, all: readonly Statement[]): Promise<void> {
  await allDone(all.map(({ name, text, values }) => statements.query(name, text, values)));
}

/** Statements on a connection of the driver's own, or on any of a pool; a connection prepares each once, if it may. */
export function namedStatements(connection: pg.Pool | pg.ClientBase, isPrepared: boolean): NamedStatements {
  return {
    async query<Row extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) {
      const { rows } = await connection.query<Row>({
        ...(isPrepared && { name: `mpi_${name}` }),
        text,
        values: [...values],
      });
      return rows;
    },
  };
}

/** Waits for statements that were sent one after the other; when the first of them that fails does, the others do for its sake. */
async function allDone(sent: readonly Promise<unknown>[]): Promise<void> {
  throwFirst(await Promise.allSettled(sent));
}

/** The same of statements that run while those behind them are made. */
export async function allDoneInParts(parts: AsyncIterable<readonly Promise<unknown>[]>): Promise<void> {
  const settling: Promise<PromiseSettledResult<unknown>[]>[] = [];
  for await (const sent of parts) settling.push(Promise.allSettled(sent));
  throwFirst((await Promise.all(settling)).flat());
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
