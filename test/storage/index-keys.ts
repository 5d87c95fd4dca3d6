import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import type { IndexKey, IndexKeys, KeyRing } from "../../src/identifier-index/index.ts";

/** Keys of one test, kept nowhere. */
export function newIndexKeys(): IndexKeys {
  return { primary: newIndexKey() };
}

export function newIndexKey(): IndexKey {
  return {
    keyId: randomUUID(),
    encryption: createSecretKey(randomBytes(32)),
    hmac: createSecretKey(randomBytes(32)),
  };
}

/** A ring whose keys never change. */
export function fixedKeys(keys: IndexKeys): KeyRing {
  return { under: (work) => work(keys), refresh: async () => undefined };
}
