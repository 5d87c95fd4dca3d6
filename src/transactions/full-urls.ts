import { withPlainOrigin } from "../references/index.ts";

const RESTFUL = /^(https?:\/\/.+\/)[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;
const RELATIVE = /^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;
const VERSION = /\/_history\/[A-Za-z0-9.-]{1,64}$/;

/** A longer one would be looked through for each reference. */
const LONGEST = 2000;

export function isTooLong(fullUrl: string): boolean {
  return fullUrl.length > LONGEST;
}

/**
 * Below what relative references are that stand in an entry of this full URL, as `plainFullUrl` writes it; empty when it
 * has no root (R5 bundle, "Resolving references in Bundles").
 */
export function rootOf(fullUrl: string): string {
  const [, root = ""] = RESTFUL.exec(fullUrl) ?? [];
  return root;
}

/** What a reference is to that stands in an entry whose full URL has this root. */
export function urlMeant(reference: string, root: string): string {
  return root !== "" && isRelative(reference) ? root + reference : reference;
}

/** The full URL of the entry that a reference would be to, as `plainFullUrl` writes it. */
export function fullUrlMeant(reference: string, root: string): string {
  return root !== "" && isRelative(reference) ? root + withoutVersion(reference) : plainFullUrl(reference);
}

/** A full URL as all write it who mean the same: of no version, its scheme and host in lower case. */
export function plainFullUrl(url: string): string {
  return withPlainOrigin(withoutVersion(url));
}

/** An address in place of a reference; the version that it is to is one of the id that it names. */
export function addressInPlace(reference: string, address: string): string {
  const [version = ""] = VERSION.exec(reference) ?? [];
  return `/${withoutVersion(reference)}`.endsWith(`/${address}`) ? address + version : address;
}

function isRelative(reference: string): boolean {
  return RELATIVE.test(withoutVersion(reference));
}

function withoutVersion(url: string): string {
  return url.replace(VERSION, "");
}
