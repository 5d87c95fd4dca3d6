/** Rows as an unnest of arrays, one a column, for statements of many rows on a connection of pg's own. */

/** A column of an unnest: its name, its type, and what of a row stands in it. */
export type Column<Row> = readonly [name: string, type: string, contentOf: (row: Row) => unknown];

export function names(columns: readonly Column<never>[]): string {
  return columns.map(([name]) => name).join(", ");
}

export function unnest(columns: readonly Column<never>[], firstParameter: number): string {
  const parameters = columns.map(([, type], place) => `$${firstParameter + place}::${type}[]`);
  return `unnest(${parameters.join(", ")}) AS given (${names(columns)})`;
}

export function arrays<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[][] {
  return columns.map(([, , contentOf]) => rows.map(contentOf));
}

/** The driver knows bytes as Buffer alone. */
export function bytes(value: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** The driver would write a Date in the zone of this process. */
export function instant(value: Date | null): string | null {
  return value?.toISOString() ?? null;
}
