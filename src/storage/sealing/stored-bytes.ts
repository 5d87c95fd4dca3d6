import { Prisma } from "../../../prisma/gen/client.ts";
import { fitting, PAGE_BYTES } from "../../resources/index.ts";
import type { SealedColumn } from "./sealed-rows.ts";

type StoredVersion = SealedColumn & { readonly document: Uint8Array | null };

/** What a version takes, about, in an answer; the sealed values stand in hexadecimal digits. */
export function storedBytes({ document, sealed }: StoredVersion): number {
  return (document?.length ?? 0) + (sealed?.length ?? 0) / 2;
}

/**
 * Of a query for versions, in an order, those that fit into the bytes of a page by `storedBytes`, the first one always,
 * and the next one, which tells that there are more: the others never leave the database.
 */
export function withinPageBytes(versions: Prisma.Sql, order: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT * FROM (
      SELECT sized.*, sum(bytes) OVER ordered - bytes AS "bytesBefore", row_number() OVER ordered AS "nth" FROM (
        SELECT found.*, coalesce(octet_length(found.document), 0) + coalesce(length(found.sealed), 0) / 2 AS bytes
        FROM (${versions}) AS found) AS sized
      WINDOW ordered AS (ORDER BY ${order})) AS counted
    WHERE "bytesBefore" <= ${PAGE_BYTES} OR "nth" <= 2 ORDER BY ${order}`;
}

/**
 * All versions behind a place, in slices, each about as large as a page. `select` has those behind a place that
 * `withinPageBytes` leaves.
 */
export async function* slicesBehind<Place, Row extends Place & StoredVersion>(
  start: Place,
  select: (after: Place) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Place | undefined = start; after !== undefined; ) {
    const rows: readonly Row[] = await select(after);
    yield rows;
    after = fitting(rows, storedBytes).length < rows.length ? rows.at(-1) : undefined;
  }
}
