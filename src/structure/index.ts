export { checkStructure } from "./check-structure.ts";
export { mostElements } from "./most-elements.ts";
