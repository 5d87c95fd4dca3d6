import { type DescField, type DescMessage, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { ContainedResourceSchema } from "#proto/patientindex/v1/contained_resource_pb.ts";
import { ReferenceSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { element } from "#proto/patientindex/v1/fhir_pb.ts";

/** What becomes of a URI at a path such as RelatedPerson.patient; the same when it stays. */
export type MapUri = (uri: string, path: string, isReference: boolean) => string;

type Node = Readonly<Record<string, unknown>>;

/** The types whose values may name another entry of a Bundle (R5 http, 3.2.0.11.2). */
const URI_TYPES: ReadonlySet<string> = new Set(["uri", "url", "oid", "uuid"]);

/**
 * A copy of a message with its references and other URIs mapped, wherever they stand; the message itself when all of
 * them stay. What is contained as text is passed over.
 */
export function withMappedUris<M extends Message>(
  schema: DescMessage,
  message: M,
  path: string,
  map: MapUri,
): M {
  return mapNode(schema, message as Message as unknown as Node, path, map) as Message as M;
}

function mapNode(schema: DescMessage, node: Node, path: string, map: MapUri): Node {
  const changed: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const value = contentOf(field, node);
    if (value === undefined) continue;
    const at = elementPath(path, field);
    const mapped = Array.isArray(value)
      ? mapList(field, value, at, map)
      : mapValue(schema, field, value, pathOf(schema, path, at), map);
    if (mapped === value) continue;
    if (field.oneof) changed[field.oneof.localName] = { case: field.localName, value: mapped };
    else changed[field.localName] = mapped;
  }
  return Object.keys(changed).length === 0 ? node : { ...node, ...changed };
}

/** A contained resource stands right in its place, and the types of a choice share theirs. */
function elementPath(path: string, field: DescField): string {
  if (field.parent.typeName === ContainedResourceSchema.typeName) return path;
  return `${path}.${(field.oneof ?? field).localName}`;
}

function contentOf(field: DescField, node: Node): unknown {
  if (!field.oneof) return node[field.localName];
  const chosen = node[field.oneof.localName] as { case: string | undefined; value?: unknown };
  return chosen.case === field.localName ? chosen.value : undefined;
}

function mapList(
  field: DescField,
  values: readonly unknown[],
  path: string,
  map: MapUri,
): readonly unknown[] {
  const mapped = values.map((value, index) => mapValue(field.parent, field, value, `${path}[${index}]`, map));
  return mapped.some((value, index) => value !== values[index]) ? mapped : values;
}

function mapValue(schema: DescMessage, field: DescField, value: unknown, path: string, map: MapUri): unknown {
  if (field.message) return isOurs(field.message) ? mapNode(field.message, value as Node, path, map) : value;
  if (typeof value !== "string") return value;
  if (isReferenceText(schema, field)) return map(value, path, true);
  return isUri(field) ? map(value, path, false) : value;
}

/** The text of a reference stands for the whole of it. */
function pathOf(schema: DescMessage, parent: string, own: string): string {
  return schema.typeName === ReferenceSchema.typeName ? parent : own;
}

function isReferenceText(schema: DescMessage, field: DescField): boolean {
  return schema.typeName === ReferenceSchema.typeName && field.localName === "reference";
}

const uris = new WeakMap<DescField, boolean>();

/** Looked up once for each field: the options of a descriptor are read anew each time. */
function isUri(field: DescField): boolean {
  let known = uris.get(field);
  if (known === undefined) {
    known = hasOption(field, element) && URI_TYPES.has(getOption(field, element).type);
    uris.set(field, known);
  }
  return known;
}

function isOurs(schema: DescMessage): boolean {
  return schema.typeName.startsWith("patientindex.");
}
