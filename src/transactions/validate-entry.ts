import type { TransactionEntry } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { MpiError } from "../errors/index.ts";
import { readEntries } from "./entries.ts";
import type { Transactions } from "./transactions.ts";

/** What was done is to be undone: nothing was wrong with it. */
class Undone extends Error {
  override readonly name = "Undone";
}

/**
 * Refuses a write with everything that is wrong with it, as the write itself would be refused, and stores nothing
 * either way: it is done, by the use case that does it, and undone. Reads are none of this.
 */
export async function validateEntry(
  { work, perform, askingAhead, inTurn }: Transactions,
  given: TransactionEntry | undefined,
): Promise<void> {
  const all = given ? [given] : [];
  const [entry] = readEntries(all);
  if (!entry || entry.verb === "read") {
    const parameters = { element: "entry.request", allowed: "create, update, delete" };
    throw new MpiError("VALUE_NOT_ALLOWED", parameters, { expression: ["entry.request"] });
  }
  try {
    await askingAhead(all, () =>
      inTurn(1, () =>
        work.run(async () => {
          await perform(entry.method, entry.request);
          throw new Undone();
        }),
      ),
    );
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
}
