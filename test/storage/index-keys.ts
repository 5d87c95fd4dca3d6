import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import type { IndexKey, IndexKeys } from "../../src/identifier-index/index.ts";

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
