import { withPlainOrigin } from "../references/index.ts";

const RESTFUL = /^(https?:\/\/.+\/)[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;
const RELATIVE = /^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;
const VERSION = /\/_history\/[A-Za-z0-9.-]{1,64}$/;

/**
 * What a reference is to: below the root of the full URL of the entry that it stands in when it is relative and that
 * has a root (R5 bundle, "Resolving references in Bundles").
 */
export function urlMeant(reference: string, standsIn: string): string {
  const [, root = ""] = (RELATIVE.test(withoutVersion(reference)) && RESTFUL.exec(standsIn)) || [];
  return root + reference;
}

/** The full URL of the entry that a reference would be to, as `plainFullUrl` writes it. */
export function fullUrlMeant(reference: string, standsIn: string): string {
  return plainFullUrl(urlMeant(reference, standsIn));
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

function withoutVersion(url: string): string {
  return url.replace(VERSION, "");
}
