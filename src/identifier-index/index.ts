export type { HeldKeys, IndexKey, IndexKeys, KeyProvider } from "./index-keys.ts";
export { allHeld, keysInUse, openingKeys } from "./index-keys.ts";
export { checkOf } from "./key-check.ts";
export { addSecondary, keyFile, promoteSecondary, removeSecondary } from "./key-file.ts";
export { type KeyRing, KeysReplaced, LiveKeyRing } from "./key-ring.ts";
export {
  holdsAll,
  KeyMissing,
  type KeyRecord,
  type KeyState,
  keyOfAnother,
  keyOfId,
  keysFor,
  stateText,
} from "./key-states.ts";
export { type KeyWrappings, unwrapped, unwrappedOnly } from "./key-wrapping.ts";
export { type HsmSettings, hsmWrapping, hsmWrappings } from "./pkcs11/hsm-wrapping.ts";
export type { Binding, Blinding, SealedValue } from "./sealing.ts";
export { blind, normalized, rememberingBlind, seal, sealBytes, unseal, unsealBytes } from "./sealing.ts";
export { visitIdentifiers } from "./visit-identifiers.ts";
