import type { IncomingHttpHeaders } from "node:http";
import { type Fault, fault, MpiError } from "../../src/errors/index.ts";
import { parseHttpDate } from "./http-date.ts";

/** What a client may have in its cache: the validators of a stored resource. */
export interface Validators {
  /** Such as W/"3". */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
}

const ETAG = /(?:W\/)?"[^"]*"/g;
const ONE_ETAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
const WHOLE_ETAG = /(?:W\/)?"[\x21\x23-\x7e]*"/g;

/** What of a read says which version the client has. */
interface ConditionalRead {
  readonly headers: IncomingHttpHeaders;
  /** Whether it is an entry of a Bundle, which has an instant of FHIR in place of an HTTP-date. */
  readonly isPart: boolean;
}

/** Whether If-None-Match or, without it, If-Modified-Since say that the client has it already (RFC 9110, 13.2.2). */
export function isNotModified(
  { headers, isPart }: ConditionalRead,
  { etag, lastModified }: Validators,
): boolean {
  const known = headers["if-none-match"];
  if (known !== undefined) {
    return known.trim() === "*" || isAmong(known, etag);
  }
  const since = headers["if-modified-since"];
  if (isPart) return lastModified <= Date.parse(since ?? "");
  // A date is to the second, and so is what it is compared with.
  return Math.floor(lastModified / 1000) * 1000 <= (parseHttpDate(since) ?? Number.NaN);
}

/**
 * What is wrong with the entity tags that a write depends on: to write in spite of a condition that cannot be understood
 * could undo what the client wanted to keep. If-Match takes one tag: a resource here has one current version. A date
 * that is none is ignored (RFC 9110, 13.1.4).
 */
export function faultsOfConditions(headers: IncomingHttpHeaders): readonly Fault[] {
  return [
    ...faultOfTags("if-match", headers["if-match"], (given) => ONE_ETAG.test(given)),
    ...faultOfTags("if-none-match", headers["if-none-match"], isListOfTags),
  ];
}

function faultOfTags(header: string, given: string | undefined, fits: (given: string) => boolean): Fault[] {
  const tags = given?.trim();
  if (tags === undefined || tags === "*" || fits(tags)) return [];
  return [fault("HEADER_MALFORMED", { header }, { expression: [`http.${header}`] })];
}

/** A list may have empty elements (RFC 9110, 5.6.1.2). */
function isListOfTags(given: string): boolean {
  const parts = given
    .replace(WHOLE_ETAG, '""')
    .split(",")
    .map((part) => part.trim());
  return parts.includes('""') && parts.every((part) => part === "" || part === '""');
}

const WRITE_CONDITIONS = ["if-match", "if-none-match", "if-unmodified-since"];

/** Whether a write depends on what is there: a conflict of versions is 412 then. */
export function isConditionalWrite(headers: Readonly<Record<string, unknown>>): boolean {
  return WRITE_CONDITIONS.some((name) => headers[name] !== undefined);
}

/** An ETag that no version has: asked for where no version will do. */
const NO_VERSION = 'W/"none"';

/**
 * The version that may be written over, such as W/"3"; empty when any may (RFC 9110, 13.2.2). The conditions are well
 * formed. The core refuses the write when another one is there: so the condition still holds when it is done. What is
 * there is looked at only where a condition needs it.
 */
export async function versionToReplace(
  headers: IncomingHttpHeaders,
  current: () => Validators | Promise<Validators>,
): Promise<string> {
  const wanted = ifMatch(headers);
  const unwanted = headers["if-none-match"];
  const since = headers["if-match"] === undefined ? parseHttpDate(headers["if-unmodified-since"]) : undefined;
  if (unwanted?.trim() === "*") return NO_VERSION;
  if (unwanted === undefined && since === undefined) return wanted;
  const { etag, lastModified } = await current();
  const isLater = since !== undefined && Math.floor(lastModified / 1000) * 1000 > since;
  const isUnwanted = unwanted !== undefined && isAmong(unwanted, etag);
  return isLater || isUnwanted ? NO_VERSION : wanted || etag;
}

/** Refuses what would create under If-Match, which only what is there can fulfil (RFC 9110, 13.1.1). */
export function refuseUnmatched(headers: IncomingHttpHeaders): void {
  if (headers["if-match"] === undefined) return;
  throw new MpiError("CONDITION_FITS_NOTHING", {}, { expression: ["http.if-match"] });
}

/** The version that If-Match asks for, such as W/"3"; empty when any will do. */
function ifMatch(headers: IncomingHttpHeaders): string {
  const given = headers["if-match"]?.trim();
  return given === undefined || given === "*" ? "" : given;
}

/** Refuses a write of another version than the one that may be written over, as the core does. */
export function refuseOtherVersion(
  wanted: string,
  {
    etag,
    meta,
  }: { readonly etag: string; readonly meta?: { readonly versionId?: string | undefined } | undefined },
): void {
  if (wanted === "" || opaque(wanted) === opaque(etag)) return;
  throw new MpiError("VERSION_CONFLICT", { current: meta?.versionId ?? "" });
}

function isAmong(tags: string, etag: string): boolean {
  return etagsIn(tags).some((tag) => opaque(tag) === opaque(etag));
}

/** The entity tags of an If-None-Match; none of `*`. */
export function etagsIn(tags: string): readonly string[] {
  return tags.match(ETAG) ?? [];
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}
