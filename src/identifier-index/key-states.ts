import { allHeld, type HeldKeys, type IndexKey, type IndexKeys } from "./index-keys.ts";
import { isCheckOf, type KeyCheck } from "./key-check.ts";

/**
 * What a key is used for. At rest one key is primary. A rotation takes the next one from joining over filling to
 * primary, and the one before it from primary over leaving to retired:
 *
 * | new key | old key | seals new values | rows of the blind index |
 * | --- | --- | --- | --- |
 * | joining | primary | old | written under both |
 * | filling | primary | new | written under both; the missing ones are filled in |
 * | primary | leaving | new | written under the new one; the old ones are deleted |
 * | primary | retired | new | under the new one alone |
 *
 * Processes that are one step apart get on with each other: both look up by a key that the other writes.
 */
export type KeyState = "primary" | "joining" | "filling" | "leaving" | "retired";

export interface KeyRecord {
  readonly keyId: string;
  readonly state: KeyState;
  /** Undefined until a start of this version has seen the key. */
  readonly check?: KeyCheck | undefined;
}

/** A key that the database needs and the provider does not have. */
export class KeyMissing extends Error {
  override readonly name = "KeyMissing";
}

/** The keys that a process works with in this state of the database; throws KeyMissing. */
export function keysFor(records: readonly KeyRecord[], held: HeldKeys): IndexKeys {
  const inState = (state: KeyState) => {
    const record = records.find((one) => one.state === state);
    return record && heldKey(held, record);
  };
  const primary = inState("primary");
  if (!primary) throw new KeyMissing("The database names no primary key.");
  const [joining, filling] = [inState("joining"), inState("filling")];
  inState("leaving");
  const inUse = filling
    ? { primary: filling, secondary: primary }
    : { primary, ...(joining && { secondary: joining }) };
  const used = new Set([inUse.primary.keyId, inUse.secondary?.keyId]);
  return { ...inUse, others: allHeld(held).filter(({ keyId }) => !used.has(keyId)) };
}

/** Whether all keys of the records are held, those that are retired apart. */
export function holdsAll(held: HeldKeys, records: readonly KeyRecord[]): boolean {
  return records.every(({ keyId, state, check }) => {
    const key = keyOfId(held, keyId);
    return state === "retired" || (key !== undefined && (!check || isCheckOf(key, check)));
  });
}

function heldKey(held: HeldKeys, { keyId, check }: KeyRecord): IndexKey {
  const key = keyOfId(held, keyId);
  if (!key) {
    throw new KeyMissing(
      `The database holds identifiers sealed under the key ${keyId}, which the keys of this process lack. ` +
        "Start with the keys that belong to this database.",
    );
  }
  if (check && !isCheckOf(key, check)) throw keyOfAnother(keyId);
  return key;
}

/** The key of an id is there, but it is not the one that the database was sealed with. */
export function keyOfAnother(keyId: string): KeyMissing {
  return new KeyMissing(
    `The key ${keyId} of this process has the id of a key of this database, but not its secrets. ` +
      "Put back the key file that belongs to this database.",
  );
}

export function keyOfId(held: HeldKeys, keyId: string): IndexKey | undefined {
  return allHeld(held).find((one) => one.keyId === keyId);
}

/** The same text for the same states: what a process says that it acts on. */
export function stateText(records: readonly KeyRecord[]): string {
  return records
    .map(({ keyId, state }) => `${keyId} ${state}`)
    .sort()
    .join(", ");
}
