import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { TransactionEntry } from "#proto/patientindex/v1/transaction_service_pb.ts";
import type { Perform } from "./conditions.ts";
import type { UnitOfWork } from "./ports.ts";

/** What transactions are done with. */
export interface Transactions {
  readonly work: UnitOfWork;
  readonly perform: Perform;
  /** Does work on sound entries, after other services were asked for what it will need of them (addresses). */
  readonly askingAhead: <Result>(
    entries: readonly TransactionEntry[],
    work: () => Promise<Result>,
  ) => Promise<Result>;
  /** The patients who hold an identifier themselves. */
  readonly holders: (identifier: Identifier) => Promise<readonly bigint[]>;
  /** Does the work of so many entries when its turn has come. */
  readonly inTurn: <Result>(entries: number, work: () => Promise<Result>) => Promise<Result>;
}
