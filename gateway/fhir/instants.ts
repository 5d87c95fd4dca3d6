import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { inOnePiece } from "./in-one-piece.ts";

const ZONE = "Europe/Tallinn";
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** 0001-01-01 and the end of 9999 in UTC, as Timestamp has them. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** In nanoseconds. */
const MILLISECOND = 1_000_000;

/** In seconds. */
const HOUR = 3600;
const REMEMBERED_HOURS = 50_000;

interface Offset {
  readonly seconds: number;
  readonly text: string;
}

const UTC: Offset = { seconds: 0, text: "Z" };

const offsetName = new Intl.DateTimeFormat("en-US", { timeZone: ZONE, timeZoneName: "longOffset" });
const offsets = new Map<number, Offset>();

/** The Timestamp of a FHIR instant; a leap second is the second after it. Undefined when the text is none. */
export function parseInstant(text: string): Timestamp | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [, minute = "", second = "", fraction = "", offset = ""] = match;
  const seconds = Date.parse(`${minute}:00${offset}`) / 1000 + Number(second);
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos: Number(fraction.padEnd(9, "0")) });
}

let last: { readonly seconds: bigint; readonly nanos: number; readonly text: string } | undefined;

/** FHIR instant with the offset of Europe/Tallinn: three digits of a second, nine when it is finer than that. */
export function tallinnInstant({ seconds, nanos }: Timestamp): string {
  // What is stored together has one instant.
  if (last?.seconds !== seconds || last.nanos !== nanos) {
    last = { seconds, nanos, text: textOf({ seconds, nanos }) };
  }
  return last.text;
}

function textOf({ seconds, nanos }: Pick<Timestamp, "seconds" | "nanos">): string {
  const utcSeconds = Number(seconds);
  const offset = offsetAt(utcSeconds);
  const milliseconds = Math.floor(nanos / MILLISECOND);
  const local = new Date((utcSeconds + offset.seconds) * 1000 + milliseconds).toISOString();
  const isFiner = nanos % MILLISECOND !== 0;
  const time = isFiner ? `${local.slice(0, -4)}${String(nanos).padStart(9, "0")}` : local.slice(0, -1);
  return inOnePiece(time, offset.text);
}

function offsetAt(utcSeconds: number): Offset {
  // Since 1970 the clocks of Tallinn changed at full hours only.
  if (utcSeconds < 0) return findOffset(utcSeconds);
  const hour = Math.floor(utcSeconds / HOUR);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  if (offsets.size >= REMEMBERED_HOURS) offsets.clear();
  const offset = findOffset(hour * HOUR);
  offsets.set(hour, offset);
  return offset;
}

function findOffset(utcSeconds: number): Offset {
  const parts = offsetName.formatToParts(new Date(utcSeconds * 1000));
  const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  const match = /^GMT([+-])(\d\d):(\d\d)$/.exec(name);
  if (match === null) return UTC;
  const [, sign, hours, minutes] = match;
  const seconds = (Number(hours) * HOUR + Number(minutes) * 60) * (sign === "-" ? -1 : 1);
  return utcSeconds + seconds > LAST_SECOND ? UTC : { seconds, text: `${sign}${hours}:${minutes}` };
}
