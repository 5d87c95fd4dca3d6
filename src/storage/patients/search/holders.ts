import { blind, type IndexKeys, keysInUse } from "../../../identifier-index/index.ts";
import type { IdentifierToken } from "../../../identifiers/index.ts";
import { ascending } from "../../transactions/ascending.ts";
import type { Lookups } from "./lookups.ts";
import type { IndexedIdentifier } from "./select-holders.ts";

/** Ids of the patients who hold any of these identifiers themselves, ascending; ended identifiers count like others. */
export async function holdersOfAny(
  lookups: Lookups,
  keys: IndexKeys,
  identifiers: readonly IdentifierToken[],
): Promise<bigint[]> {
  const found = await Promise.all(identifiers.map((token) => lookups.holders(indexed(keys, token))));
  return ascending(found.flat());
}

/** An identifier as the blind index knows it. */
export function indexed(keys: IndexKeys, { value, country, type }: IdentifierToken): IndexedIdentifier {
  return { hashes: keysInUse(keys).map((key) => blind(key, value)), country, type };
}
