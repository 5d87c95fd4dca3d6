import type { Message } from "@bufbuild/protobuf";
import { type Fault, fault } from "../errors/index.ts";
import { conditionalTarget, isConditional, type Perform } from "./conditions.ts";
import type { Entry } from "./entries.ts";
import { withMappedUris } from "./references.ts";
import { resourceIn, resourceTypes, withResource } from "./resource-types.ts";

/** Where the resources of entries are, by full URL, and which entries failed. */
export interface Stored {
  readonly addresses: Map<string, string>;
  readonly failed: Set<string>;
}

export interface Linked {
  /** The request of the entry with its references resolved. */
  readonly request: Message;
  /** References that lead nowhere. */
  readonly faults: readonly Fault[];
  /** Paths of references to entries that failed themselves. */
  readonly blocked: ReadonlySet<string>;
}

/** Puts the addresses of stored resources in place of the references to entries, and of conditional references. */
export async function linkEntries(perform: Perform, entry: Entry, stored: Stored): Promise<Linked> {
  const { type, request } = entry;
  const resource = resourceIn(type, request);
  if (!resource || entry.verb === "read") return { request, faults: [], blocked: new Set() };
  const { schema } = resourceTypes[type];
  const targets = await conditionalTargets(perform, entry, resource);
  const faults: Fault[] = [];
  const blocked = new Set<string>();
  const linked = withMappedUris(schema, resource, type, (uri, path, isReference) => {
    const address = stored.addresses.get(uri) ?? targets.get(uri);
    if (address !== undefined) return address;
    if (stored.failed.has(uri)) blocked.add(path);
    else if (isReference && (isConditional(uri) || uri.startsWith("urn:"))) faults.push(unresolved(path));
    return uri;
  });
  return { request: withResource(type, request, linked), faults, blocked };
}

async function conditionalTargets(
  perform: Perform,
  { type }: Entry,
  resource: Message,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set<string>();
  withMappedUris(resourceTypes[type].schema, resource, type, (uri, _path, isReference) => {
    if (isReference && isConditional(uri)) wanted.add(uri);
    return uri;
  });
  const found = new Map<string, string>();
  for (const reference of wanted) {
    const target = await conditionalTarget(perform, reference);
    if (target !== undefined) found.set(reference, target);
  }
  return found;
}

function unresolved(path: string): Fault {
  return fault("REFERENCE_UNRESOLVED", { element: path }, { expression: [path] });
}
