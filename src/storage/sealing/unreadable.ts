import { MpiError, ofPatient } from "../../errors/index.ts";

/** What a stored record holds, or why it does not open (MPI-003): a fault of that record alone. */
export type Reading<Content> = { readonly content: Content } | { readonly unreadable: MpiError };

/** Opens a record where others stand beside it, which one that does not open must not take along. */
export function readingOf<Content>(open: () => Content): Reading<Content> {
  try {
    return { content: open() };
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
    return { unreadable: cause };
  }
}

/** What was read, where it alone was asked for: MPI-003 is thrown. */
export function contentOf<Content>(reading: Reading<Content>): Content {
  if ("unreadable" in reading) throw reading.unreadable;
  return reading.content;
}

/** What of many rows opens; what does not is left out. */
export function openable<Row, Content>(rows: readonly Row[], open: (row: Row) => Content): Content[] {
  return rows
    .map((row) => readingOf(() => open(row)))
    .flatMap((reading) => ("content" in reading ? [reading.content] : []));
}

/** What of many rows opens, and why the others do not, each by its patient. */
export function openAll<Row extends { readonly patientId: bigint }, Content>(
  rows: readonly Row[],
  open: (row: Row) => Content,
): { readonly contents: Content[]; readonly unreadable: MpiError[] } {
  const readings = rows.map((row) => ({ patientId: row.patientId, ...readingOf(() => open(row)) }));
  return {
    contents: readings.flatMap((one) => ("content" in one ? [one.content] : [])),
    unreadable: readings.flatMap((one) =>
      "unreadable" in one ? [ofPatient(one.patientId, one.unreadable)] : [],
    ),
  };
}

function isUnreadable(cause: unknown): cause is MpiError {
  return cause instanceof MpiError && cause.says("INDEX_DECRYPTION_FAILED");
}
