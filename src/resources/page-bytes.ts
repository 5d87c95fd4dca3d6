/**
 * What the entries of a page take at most, as they are stored: most gRPC clients take messages of 4 MiB unless told
 * otherwise, and a page has more than what is stored of its entries.
 */
export const PAGE_BYTES = 3 * 1024 * 1024;

/**
 * As many items of a page, from the first on, as fit into its bytes; the first one always. Where some are left out the
 * page ends early.
 */
export function fitting<Item>(items: readonly Item[], bytesOf: (item: Item) => number): readonly Item[] {
  let bytes = 0;
  const kept = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > PAGE_BYTES;
  });
  return kept < 0 ? items : items.slice(0, Math.max(1, kept));
}

/**
 * How many items make a page where only so many fit behind an offset: as pages have numbers, the next one begins where it
 * should only if the offset is that of a whole page.
 */
export function sizeOfWholePages(offset: number, fit: number): number {
  let size = fit;
  while (offset % size > 0) size -= 1;
  return size;
}

/** Which part of all that was found a page is. */
export interface PlaceOfPage {
  readonly total: number;
  /** From 1, of pages of this size. */
  readonly page: number;
  /** What was asked for, or less where the page ended early; 0 when only the total was asked for. */
  readonly pageSize: number;
  readonly hasMore: boolean;
}

/** The place of a page that was asked for, and may have ended early. */
export function placeOfPage(
  asked: { readonly page: number; readonly size: number },
  { total, endsAfter }: { readonly total: number; readonly endsAfter?: number | undefined },
): PlaceOfPage {
  const pageSize = endsAfter ?? asked.size;
  const start = (asked.page - 1) * asked.size;
  const page = endsAfter === undefined ? asked.page : start / endsAfter + 1;
  return { total, page, pageSize, hasMore: pageSize > 0 && page * pageSize < total };
}
