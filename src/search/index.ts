export {
  type Comparison,
  type Prefix,
  parseDateComparison,
  parseInstantComparison,
} from "./comparison.ts";
export { parseFlag } from "./flag.ts";
export { readIdentifier, readOperationIdentifier } from "./identifier.ts";
export {
  ignoredNotes,
  type ParameterRule,
  type ParameterRules,
  readParameters,
  unsuitable,
} from "./parameter-rules.ts";
export { countOf, defaultResult, type ResultDraft, resultOfCondition, resultRules } from "./result-rules.ts";
export type { SortOrder } from "./sort.ts";
export { understood } from "./understood.ts";
export { unreadableNotes } from "./unreadable-notes.ts";
export { splitValues, unescaped } from "./values.ts";
