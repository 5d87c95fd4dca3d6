import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Transaction } from "./client.ts";

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

/** The client with its statements going to the ambient transaction, where there is one. */
export function followingTransaction(client: Database): Database {
  const following: Database = new Proxy(client, {
    get(target, property) {
      if (property !== "$queryRaw" && property !== "$executeRaw")
        return Reflect.get(target, property, target);
      const place: Transaction = ambientTransaction(following) ?? target;
      return place[property].bind(place);
    },
  });
  return following;
}
