export { checkIndex } from "./check-index.ts";
export { reencryptIndex } from "./reencrypt-index.ts";
