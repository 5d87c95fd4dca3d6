import { ambientTransaction } from "../connection/ambient-transaction.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { KnownNames, type WriteVariants, writeForms } from "./known-names.ts";
import { type NamesOfTransaction, noteNames } from "./noted-names.ts";

export function knownNames(database: Database): KnownNames {
  const ofTransaction: NamesOfTransaction = {
    write: (transaction, forms) => writeForms([...forms], writeVariants(transaction)),
    committed: (forms) => known.remember([...forms]),
  };
  const known = new KnownNames(writeVariants(database), (unknown) => {
    const transaction = ambientTransaction(database);
    if (!transaction) return false;
    noteNames(transaction, ofTransaction, unknown);
    return true;
  });
  return known;
}

function writeVariants(target: Database | Transaction): WriteVariants {
  return async (variants, forms) => {
    await target.$executeRaw`
      INSERT INTO name_variant (variant, form)
      SELECT * FROM unnest(${[...variants]}::bigint[], ${[...forms]}::text[]) ON CONFLICT DO NOTHING`;
  };
}
