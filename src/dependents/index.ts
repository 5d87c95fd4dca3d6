export { createDependent } from "./create-dependent.ts";
export { deleteDependent } from "./delete-dependent.ts";
export type { ContentRules, DependentIndex, DependentKind } from "./dependent-index.ts";
export { listDependentChanges } from "./list-changes.ts";
export { listDependentHistory } from "./list-history.ts";
export type { Dependent, DependentChange, DependentStore, PatientDirectory } from "./ports.ts";
export { readDependent, readDependentVersion } from "./read-dependent.ts";
export { type FoundDependents, searchDependents } from "./search-dependents.ts";
export { updateDependent } from "./update-dependent.ts";
