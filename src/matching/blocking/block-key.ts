import { hash } from "node:crypto";

/**
 * A hash of something that records have in common: 64 bits, as a signed number. Two texts that happen to have the same
 * one cost a comparison and change nothing.
 */
export function blockKey(...parts: readonly string[]): bigint {
  return hash("sha256", parts.join("\n"), "buffer").readBigInt64BE(0);
}
