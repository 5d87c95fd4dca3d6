export { type Perform, patientCriteria } from "./conditions.ts";
export { type MethodName, mostEntries } from "./entries.ts";
export type { UnitOfWork } from "./ports.ts";
export { processTransaction, type Transactions } from "./process-transaction.ts";
export { resolvedBeforehand } from "./resolve-references.ts";
export { validateEntry } from "./validate-entry.ts";
