import { type CatalogueVersion, catalogueVersions } from "../../src/errors/index.ts";

/** A base path and the version of the contract that it stands for (spec http-api.md, "Base paths and versions"). */
export interface Contract {
  readonly basePath: string;
  readonly version: CatalogueVersion;
}

/** The current contract first. */
export const contracts: readonly [Contract, ...Contract[]] = [
  { basePath: "/fhir", version: catalogueVersions[0] },
  ...catalogueVersions.map((version) => ({ basePath: `/${version}/fhir`, version })),
];

/** The contract that the URL of a request names, with a query or without; the current one when it names none. */
export function contractOf(url: string): Contract {
  const [path = ""] = url.split("?", 1);
  return contracts.find(({ basePath }) => isBelow(path, basePath)) ?? contracts[0];
}

/** The version of a path that looks like a base path but belongs to no contract. */
export function unknownVersionOf(path: string): string | undefined {
  const version = /^\/([^/]+)\/fhir(?:\/|$)/.exec(path)?.[1];
  return contracts.some(({ basePath }) => isBelow(path, basePath)) ? undefined : version;
}

function isBelow(path: string, basePath: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}
