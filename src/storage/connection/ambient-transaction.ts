import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Transaction } from "./client.ts";
import type { DirectStatements, StatementParts } from "./direct-statements.ts";

/** A transaction that everything works in which is done on its behalf, on one database. */
export interface Ambient {
  readonly database: Database;
  readonly transaction: Transaction;
}

const transactions = new AsyncLocalStorage<Ambient>();

/** Does work whose statements on the database, those of stores that know nothing of it, run in the transaction. */
export function underTransaction<T>(ambient: Ambient, work: () => Promise<T>): Promise<T> {
  return transactions.run(ambient, work);
}

/** The transaction that the work at hand runs in; undefined when each of its writes is one of its own. */
export function ambientTransaction(database: Database): Transaction | undefined {
  const ambient = transactions.getStore();
  return ambient?.database === database ? ambient.transaction : undefined;
}

/** The client with its statements going to the ambient transaction where there is one, and else straight to the pool. */
export function followingTransaction(client: Database, direct: DirectStatements): Database {
  const statements: Pick<Database, "$queryRaw" | "$executeRaw"> = {
    $queryRaw: directly((transaction, parts) =>
      transaction ? transaction.$queryRaw(...parts) : direct.query(parts),
    ),
    $executeRaw: directly((transaction, parts) =>
      transaction ? transaction.$executeRaw(...parts) : direct.execute(parts),
    ),
  };
  const following: Database = new Proxy(client, {
    get: (target, property) =>
      Object.hasOwn(statements, property)
        ? Reflect.get(statements, property)
        : Reflect.get(target, property, target),
  });
  return following;

  // Of Prisma's promises nothing is used but that they can be waited for.
  function directly<Result>(
    send: (transaction: Transaction | undefined, parts: StatementParts) => Promise<unknown>,
  ): Result {
    return ((...parts: StatementParts) => send(ambientTransaction(following), parts)) as Result;
  }
}
