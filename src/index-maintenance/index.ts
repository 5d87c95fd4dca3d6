export { reencryptIndex } from "./reencrypt-index.ts";
