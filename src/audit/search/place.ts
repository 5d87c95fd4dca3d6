import { nearestInstant } from "../../time/fhir-date.ts";
import type { TrailPlace } from "../ports.ts";

/** An opaque token of the place behind which the next page begins. */
export function placeToken({ recordedAt, streamId, n }: TrailPlace): string {
  return Buffer.from(`${recordedAt.getTime()}/${streamId}/${n}`, "utf8").toString("base64url");
}

/** The place of a token that we gave; undefined for anything else. */
export function parsePlace(token: string): TrailPlace | undefined {
  const text = Buffer.from(token, "base64url").toString("utf8");
  const [, time, streamId, n] = /^(\d{1,15})\/(-?\d{1,18})\/(\d{1,18})$/.exec(text) ?? [];
  if (time === undefined || streamId === undefined || n === undefined) return undefined;
  const recordedAt = nearestInstant(Number(time));
  if (recordedAt.getTime() !== Number(time)) return undefined;
  return { recordedAt, streamId: BigInt(streamId), n: BigInt(n) };
}
