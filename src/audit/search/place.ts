import { createHash } from "node:crypto";
import { nearestInstant } from "../../time/fhir-date.ts";
import type { RecordedSpan, TrailPlace } from "../ports.ts";

/** A place, and the list that it is one of. */
export interface PlaceInList {
  readonly place: TrailPlace;
  readonly list: string;
}

/** The name of the list of entries of these patients within these spans: for tokens, from which nobody is to be told. */
export function trailName(patients: readonly bigint[], spans: readonly RecordedSpan[]): string {
  const instants = spans.map(({ from, to, outside }) => [from?.getTime(), to?.getTime(), outside]);
  const list = JSON.stringify([patients.map(String).sort(), instants]);
  return createHash("sha256").update(list).digest("base64url").slice(0, 16);
}

/** An opaque token of the place behind which the next page begins; it is good for no other list. */
export function placeToken({ recordedAt, streamId, n }: TrailPlace, list: string): string {
  return Buffer.from(`${recordedAt.getTime()}/${streamId}/${n} ${list}`, "utf8").toString("base64url");
}

/** The place of a token that we gave; undefined for anything else. */
export function parsePlace(token: string): PlaceInList | undefined {
  const text = Buffer.from(token, "base64url").toString("utf8");
  const [, time, streamId, n, list] = /^(\d{1,15})\/(-?\d{1,18})\/(\d{1,18}) ([\w-]{16})$/.exec(text) ?? [];
  if (time === undefined || streamId === undefined || n === undefined || list === undefined) return undefined;
  const recordedAt = nearestInstant(Number(time));
  if (recordedAt.getTime() !== Number(time)) return undefined;
  return { place: { recordedAt, streamId: BigInt(streamId), n: BigInt(n) }, list };
}
