export { type Perform, patientCriteria } from "./conditions.ts";
export { type MethodName, mostEntries } from "./entries.ts";
export type { UnitOfWork } from "./ports.ts";
export { processTransaction } from "./process-transaction.ts";
export { resolvedBeforehand } from "./resolve-references.ts";
export type { Transactions } from "./transactions.ts";
export { validateEntry } from "./validate-entry.ts";
