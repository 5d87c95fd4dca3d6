export type { HeldKeys, IndexKey, IndexKeys, KeyProvider } from "./index-keys.ts";
export { allHeld, keysInUse, openingKeys } from "./index-keys.ts";
export { keyFile } from "./key-file.ts";
export { fixedKeys, type KeyRing, LiveKeyRing } from "./key-ring.ts";
export { KeyMissing, type KeyRecord, type KeyState, keysFor, stateText } from "./key-states.ts";
export type { Binding, SealedValue } from "./sealing.ts";
export { blind, normalized, seal, sealBytes, unseal, unsealBytes } from "./sealing.ts";
export { visitIdentifiers } from "./visit-identifiers.ts";
