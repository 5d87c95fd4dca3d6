import type { IncomingHttpHeaders } from "node:http";
import { MpiError } from "../../src/errors/index.ts";

/** What a client may have in its cache: the validators of a stored resource. */
export interface Validators {
  /** Such as W/"3". */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
}

const ETAG = /(?:W\/)?"[^"]*"/g;
const ONE_ETAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

/** Whether If-None-Match or, without it, If-Modified-Since say that the client has it already (RFC 9110, 13.2.2). */
export function isNotModified(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const known = headers["if-none-match"];
  if (known !== undefined) {
    return known.trim() === "*" || (known.match(ETAG) ?? []).some((tag) => opaque(tag) === opaque(etag));
  }
  const since = headers["if-modified-since"];
  if (since === undefined) return false;
  const instant = Date.parse(since);
  return !Number.isNaN(instant) && Math.floor(lastModified / 1000) * 1000 <= instant;
}

/**
 * The version that If-Match asks for, such as W/"3"; empty when any will do. Refused when it is no entity tag, or
 * several: a resource here has one current version.
 */
export function ifMatch(headers: IncomingHttpHeaders): string {
  const given = headers["if-match"]?.trim();
  if (given === undefined || given === "*") return "";
  if (ONE_ETAG.test(given)) return given;
  throw new MpiError("HEADER_MALFORMED", { header: "if-match" }, { expression: ["http.if-match"] });
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}
