import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { noteKeys, underKeysInUse } from "../sealing/keys-in-use.ts";
import { inTransaction } from "./transaction.ts";

/** Does work in a transaction with the keys of now, anew when they are replaced before it is committed. */
export function writeUnderKeys<T>(
  database: Database,
  ring: KeyRing,
  work: (transaction: Transaction, keys: IndexKeys) => Promise<T>,
): Promise<T> {
  return underKeysInUse(database, ring, (keys) => inTransactionUnder(database, keys, work));
}

/** The same with keys that the caller has. */
export function inTransactionUnder<T>(
  database: Database,
  keys: IndexKeys,
  work: (transaction: Transaction, keys: IndexKeys) => Promise<T>,
): Promise<T> {
  return inTransaction(database, (transaction) => {
    noteKeys(transaction, keys);
    return work(transaction, keys);
  });
}
