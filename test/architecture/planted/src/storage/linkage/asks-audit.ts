export { entry } from "../audit/entry.ts";
