import type { SealedColumn } from "./sealed-rows.ts";

/** What a version takes, about, in an answer; the sealed values stand in hexadecimal digits. */
export function storedBytes({
  document,
  sealed,
}: SealedColumn & { readonly document: Uint8Array | null }): number {
  return (document?.length ?? 0) + (sealed?.length ?? 0) / 2;
}
