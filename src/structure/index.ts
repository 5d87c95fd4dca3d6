export { checkStructure } from "./check-structure.ts";
