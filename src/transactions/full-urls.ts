const RESTFUL = /^(https?:\/\/.+\/)[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;
const RELATIVE = /^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;
const VERSION = /\/_history\/[A-Za-z0-9.-]{1,64}$/;

/**
 * The full URL of the entry that a reference would be to: of no version, and below the root of the full URL of the entry
 * that it stands in when it is relative and that has a root (R5 bundle, "Resolving references in Bundles").
 */
export function fullUrlMeant(reference: string, standsIn: string): string {
  const url = withoutVersion(reference);
  const [, root] = (RELATIVE.test(url) && RESTFUL.exec(standsIn)) || [];
  return root === undefined ? url : root + url;
}

/** An address in place of a reference; the version that it is to is one of the id that it names. */
export function addressInPlace(reference: string, address: string): string {
  const [version = ""] = VERSION.exec(reference) ?? [];
  return `/${withoutVersion(reference)}`.endsWith(`/${address}`) ? address + version : address;
}

export function withoutVersion(url: string): string {
  return url.replace(VERSION, "");
}
