/** Rows as an unnest of arrays, one a column, for statements of many rows on a connection of pg's own. */

/** A column of an unnest: its name, its type, and what of a row stands in it. */
export type Column<Row> = {
  readonly [Type in ColumnType]: readonly [
    name: string,
    type: Type,
    contentOf: (row: Row) => ContentOf<Type> | null,
  ];
}[ColumnType];

type ColumnType = keyof typeof CODECS;
type ContentOf<Type extends ColumnType> =
  (typeof CODECS)[Type] extends Codec<infer Content> ? Content : never;

/** How PostgreSQL sends and takes a type in binary (its src/backend/utils/adt, the _recv of the type). */
interface Codec<Content> {
  readonly oid: number;
  /** In bytes. */
  readonly length: (content: Content) => number;
  readonly write: (content: Content, to: Buffer, at: number) => void;
}

const CODECS = {
  boolean: fixed<boolean>(16, 1, (content, to, at) => to.writeUInt8(Number(content), at)),
  bytea: {
    oid: 17,
    length: (content) => content.length,
    write: (content, to, at) => to.set(content, at),
  } satisfies Codec<Uint8Array>,
  bigint: fixed<bigint>(20, 8, (content, to, at) => to.writeBigInt64BE(content, at)),
  int: fixed<number>(23, 4, (content, to, at) => to.writeInt32BE(content, at)),
  text: {
    oid: 25,
    length: (content) => Buffer.byteLength(content, "utf8"),
    write: (content, to, at) => to.write(content, at, "utf8"),
  } satisfies Codec<string>,
  /** YYYY-MM-DD. */
  date: fixed<string>(1082, 4, (content, to, at) =>
    to.writeInt32BE((Date.parse(content) - EPOCH) / DAY_MS, at),
  ),
  /** Without a zone: in UTC. */
  timestamp: fixed<Date>(1114, 8, (content, to, at) =>
    to.writeBigInt64BE(BigInt(content.getTime() - EPOCH) * 1000n, at),
  ),
};

/** Dates of PostgreSQL count from here. */
const EPOCH = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

const INT = 4;
/** Dimensions, whether there are nulls, type of the elements; then length and lower bound of the one dimension. */
const HEADER = 5 * INT;
const NULL_LENGTH = -1;

function fixed<Content>(oid: number, length: number, write: Codec<Content>["write"]): Codec<Content> {
  return { oid, length: () => length, write };
}

export function names(columns: readonly Column<never>[]): string {
  return columns.map(([name]) => name).join(", ");
}

export function unnest(columns: readonly Column<never>[], firstParameter: number): string {
  const parameters = columns.map(([, type], place) => `$${firstParameter + place}::${type}[]`);
  return `unnest(${parameters.join(", ")}) AS given (${names(columns)})`;
}

/** The parameters of such an unnest, in binary: as text each element would be escaped here and parsed there. */
export function arrays<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Buffer[] {
  return columns.map(([, type, contentOf]) =>
    binaryArray(
      CODECS[type] as Codec<unknown>,
      rows.map((row) => contentOf(row)),
    ),
  );
}

function binaryArray(codec: Codec<unknown>, contents: readonly unknown[]): Buffer {
  const lengths = contents.map((content) => (content === null ? NULL_LENGTH : codec.length(content)));
  const size = lengths.reduce((sum, length) => sum + INT + Math.max(length, 0), HEADER);
  const bytes = Buffer.allocUnsafe(size);
  writeHeader(bytes, codec.oid, lengths);
  let at = HEADER;
  for (const [place, content] of contents.entries()) {
    const length = lengths[place] ?? NULL_LENGTH;
    at = bytes.writeInt32BE(length, at);
    if (length === NULL_LENGTH) continue;
    codec.write(content, bytes, at);
    at += length;
  }
  return bytes;
}

function writeHeader(bytes: Buffer, oid: number, lengths: readonly number[]): void {
  const header = [1, Number(lengths.includes(NULL_LENGTH)), oid, lengths.length, 1];
  for (const [place, value] of header.entries()) bytes.writeInt32BE(value, place * INT);
}
