export { checkStructure } from "./check-structure.ts";
export { type VisitMessages, visitingMessages } from "./compiled-visit.ts";
export { isTimestamp } from "./message-checks.ts";
export { mostElements } from "./most-elements.ts";
