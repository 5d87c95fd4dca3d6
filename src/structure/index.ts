export { checkStructure } from "./check-structure.ts";
export { type VisitMessages, visitingMessages } from "./compiled-visit.ts";
export { mostElements } from "./most-elements.ts";
