export type { IndexKey, IndexKeys, KeyProvider } from "./index-keys.ts";
export { keysInUse } from "./index-keys.ts";
export { keyFile } from "./key-file.ts";
export type { Binding, SealedValue } from "./sealing.ts";
export { blind, normalized, seal, sealBytes, unseal, unsealBytes } from "./sealing.ts";
export { visitIdentifiers } from "./visit-identifiers.ts";
