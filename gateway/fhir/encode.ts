import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { NO_VALUE } from "./decode-primitive.ts";
import {
  type ChoiceMember,
  type ContainedTable,
  type ElementEntry,
  type ElementTable,
  elementTable,
  type MessageNode,
  type PrimitiveContent,
} from "./elements.ts";
import { readJson } from "./json.ts";
import type { JsonValue } from "./primitives.ts";

/** An object of FHIR JSON: what stringifyJson takes. */
export type FhirJson = Record<string, JsonValue>;

/**
 * FHIR JSON of a resource, elements in the order of the R5 definition, instants of the index with the offset of
 * Europe/Tallinn. The message is one that was checked when it came in.
 */
export function encodeResource<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): FhirJson {
  return writeObject(elementTable(schema), message as Message as unknown as MessageNode);
}

function writeObject(table: ElementTable, node: MessageNode): FhirJson {
  const json: FhirJson = table.resourceType === undefined ? {} : { resourceType: table.resourceType };
  for (const member of table.members) {
    if (member.kind === "choice") writeChoice(member, node, json);
    else writeElement(member.entry, node[member.entry.field], node, json);
  }
  return json;
}

function writeChoice({ field, byCase, primitives }: ChoiceMember, node: MessageNode, json: FhirJson): void {
  const chosen = node[field] as { case: string | undefined; value?: unknown };
  const entry = chosen.case === undefined ? undefined : byCase.get(chosen.case);
  if (entry !== undefined) writeElement(entry, chosen.value, node, json);
  // No value, but perhaps an extension that says why.
  else for (const primitive of primitives) writeElement(primitive, undefined, node, json);
}

function writeElement(entry: ElementEntry, value: unknown, node: MessageNode, json: FhirJson): void {
  const { content, jsonName } = entry;
  if (content.kind === "primitive") writePrimitive(entry, content, value, node, json);
  else if (!entry.repeated) {
    if (value !== undefined) json[jsonName] = writeComplex(entry, value as MessageNode);
  } else if ((value as MessageNode[]).length > 0) {
    json[jsonName] = (value as MessageNode[]).map((item) => writeComplex(entry, item));
  }
}

function writeComplex({ content }: ElementEntry, node: MessageNode): JsonValue {
  if (content.kind === "resource") return writeContained(content.contained, node);
  return content.kind === "complex" ? writeObject(content.table, node) : undefined;
}

function writeContained(table: ContainedTable, node: MessageNode): JsonValue {
  const chosen = node[table.choice] as { case: string; value: unknown };
  const typed = table.tables.get(chosen.case);
  return typed === undefined
    ? readJson(chosen.value as string)
    : writeObject(typed, chosen.value as MessageNode);
}

function writePrimitive(
  entry: ElementEntry,
  content: PrimitiveContent,
  value: unknown,
  node: MessageNode,
  json: FhirJson,
): void {
  const { codec, element } = content;
  if (entry.repeated) {
    writePrimitives(entry, content, value as unknown[], node, json);
    return;
  }
  if (value !== undefined) json[entry.jsonName] = codec.encode(value);
  const own = element === undefined ? undefined : (node[element.field] as MessageNode | undefined);
  if (element !== undefined && own !== undefined) json[element.jsonName] = writeObject(element.table, own);
}

function writePrimitives(
  { jsonName }: ElementEntry,
  { codec, element }: PrimitiveContent,
  values: unknown[],
  node: MessageNode,
  json: FhirJson,
): void {
  if (values.length > 0)
    json[jsonName] = values.map((value) => (value === NO_VALUE ? null : codec.encode(value)));
  const own = element === undefined ? [] : (node[element.field] as MessageNode[]);
  if (element === undefined || own.length === 0) return;
  json[element.jsonName] = own.map((item) => {
    const written = writeObject(element.table, item);
    return Object.keys(written).length === 0 ? null : written;
  });
}
