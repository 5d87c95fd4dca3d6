import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Fault } from "../../src/errors/index.ts";
import { isObject, type JsonObject, NO_VALUE, readPrimitive, setValue } from "./decode-primitive.ts";
import {
  type ContainedTable,
  type ElementEntry,
  type ElementTable,
  elementTable,
  type PrimitiveElement,
} from "./elements.ts";
import { resourceFhirType } from "./fhir-types.ts";
import { nestsWithin, stringifyJson } from "./json.ts";
import type { MessageNode } from "./message-node.ts";
import type { JsonValue } from "./primitives.ts";
import { MAX_DEPTH, Walk } from "./walk.ts";

/** A resource read from FHIR JSON, or all that is wrong with it. */
export type Decoded<Desc extends DescMessage> =
  | { readonly message: MessageShape<Desc>; readonly faults: readonly [] }
  | { readonly message: undefined; readonly faults: readonly Fault[] };

/**
 * Reads a resource of a message type from a JSON value as parseJson gives it, checking its structure against R5:
 * names, JSON types, cardinalities, primitives. Takes any value whatever and throws at none.
 */
export function decodeResource<Desc extends DescMessage>(schema: Desc, json: JsonValue): Decoded<Desc> {
  const table = elementTable(schema);
  const walk = new Walk(table.resourceType ?? schema.name);
  const node = readRoot(table, json, walk);
  if (node === undefined || walk.faults.length > 0) return { message: undefined, faults: walk.faults };
  return { message: node as MessageShape<Desc>, faults: [] };
}

/** Reads an element of a data type from a JSON value, as decodeResource does; `path` is its FHIRPath in what it is part of. */
export function decodeElement<Desc extends DescMessage>(
  schema: Desc,
  json: JsonValue,
  path: string,
): Decoded<Desc> {
  const walk = new Walk(path);
  const node = readRoot(elementTable(schema), json, walk);
  if (node === undefined || walk.faults.length > 0) return { message: undefined, faults: walk.faults };
  return { message: node as MessageShape<Desc>, faults: [] };
}

function readRoot(table: ElementTable, json: JsonValue, walk: Walk): MessageNode | undefined {
  if (!isObject(json)) {
    walk.reportType(json, "object");
    return undefined;
  }
  if (table.resourceType !== undefined && json["resourceType"] !== table.resourceType) {
    walk.report("RESOURCE_TYPE_WRONG", { expected: table.resourceType });
    return undefined;
  }
  return readObject(table, json, walk);
}

/** Reads the elements of an object; the walk stands on it, whose JSON type is checked. */
function readObject(table: ElementTable, json: JsonObject, walk: Walk): MessageNode {
  const node = table.create();
  if (!walk.descend()) return node;
  const names = Object.keys(json);
  if (names.length === 0) walk.report("ELEMENT_EMPTY", {});
  let choices: (string | undefined)[] | undefined;
  for (const name of names) {
    if (walk.isFull) break;
    const property = table.properties.get(name);
    if (property === undefined) {
      if (name !== "resourceType" || table.resourceType === undefined)
        walk.reportChild("ELEMENT_UNKNOWN", name);
      continue;
    }
    if (property.entry.choice !== undefined) {
      choices ??= [];
      checkChoice(property.entry, choices, walk);
    }
    readElement(property.entry, property.ofElement, json, node, walk);
  }
  checkRequired(table, json, walk);
  if (table.isExtension) checkExtension(json, choices !== undefined, walk);
  walk.ascend();
  return node;
}

/** R5's invariant ext-1: an extension has a value or extensions, and not both. */
function checkExtension(json: JsonObject, hasValue: boolean, walk: Walk): void {
  const hasExtensions = Object.hasOwn(json, "extension");
  if (hasValue && hasExtensions) walk.report("EXTENSION_AMBIGUOUS", {});
  if (!hasValue && !hasExtensions) walk.reportChild("ELEMENT_MISSING", "value");
}

function checkChoice({ name, field, choice }: ElementEntry, met: (string | undefined)[], walk: Walk): void {
  if (choice === undefined) return;
  const first = met[choice.index];
  if (first === undefined) met[choice.index] = field;
  else if (first !== field) walk.reportChild("CHOICE_AMBIGUOUS", name);
}

function checkRequired(table: ElementTable, json: JsonObject, walk: Walk): void {
  for (const { name, jsonNames } of table.required) {
    if (!jsonNames.some((jsonName) => Object.hasOwn(json, jsonName)))
      walk.reportChild("ELEMENT_MISSING", name);
  }
}

function readElement(
  entry: ElementEntry,
  ofElement: boolean,
  json: JsonObject,
  node: MessageNode,
  walk: Walk,
): void {
  const { content } = entry;
  walk.enter(entry.name);
  if (content.kind !== "primitive") {
    if (entry.repeated) readList(entry, json[entry.jsonName], node[entry.field] as MessageNode[], walk);
    else setValue(entry, readComplex(entry, json[entry.jsonName], walk), node);
  } else if (!ofElement) readPrimitive(entry, content, json, node, walk);
  else if (content.element !== undefined) readPrimitiveElement(entry, content.element, json, node, walk);
  walk.leave();
}

function readList(entry: ElementEntry, json: JsonValue, list: MessageNode[], walk: Walk): void {
  if (!Array.isArray(json)) {
    walk.reportType(json, "array");
    return;
  }
  if (json.length === 0) walk.report("ELEMENT_EMPTY", {});
  for (let index = 0; index < json.length && !walk.isFull; index += 1) {
    walk.enter(index);
    const item = readComplex(entry, json[index], walk);
    if (item !== undefined) list.push(item);
    walk.leave();
  }
}

function readComplex({ content }: ElementEntry, json: JsonValue, walk: Walk): MessageNode | undefined {
  if (!isObject(json)) {
    walk.reportType(json, "object");
    return undefined;
  }
  if (content.kind === "resource") return readContained(content.contained, json, walk);
  return content.kind === "complex" ? readObject(content.table, json, walk) : undefined;
}

/** Reads _name: the id and extensions of a primitive, or a list of them beside a list of values. */
function readPrimitiveElement(
  entry: ElementEntry,
  { field, jsonName, table }: PrimitiveElement,
  json: JsonObject,
  node: MessageNode,
  walk: Walk,
): void {
  const given = json[jsonName];
  if (entry.repeated) readPrimitiveElements(entry, given, json[entry.jsonName], node, walk);
  else if (isObject(given)) node[field] = readObject(table, given, walk);
  else walk.reportType(given, "object");
}

function readPrimitiveElements(
  { field, content }: ElementEntry,
  given: JsonValue,
  values: JsonValue,
  node: MessageNode,
  walk: Walk,
): void {
  if (content.kind !== "primitive" || content.element === undefined) return;
  if (!Array.isArray(given)) {
    walk.reportType(given, "array");
    return;
  }
  if (given.length === 0) walk.report("ELEMENT_EMPTY", {});
  if (values === undefined) node[field] = given.map(() => NO_VALUE);
  else if (Array.isArray(values) && values.length !== given.length) walk.report("ARRAYS_NOT_PARALLEL", {});
  const { table } = content.element;
  const list = node[content.element.field] as MessageNode[];
  for (let index = 0; index < given.length && !walk.isFull; index += 1) {
    walk.enter(index);
    const item: JsonValue = given[index];
    if (isObject(item)) list.push(readObject(table, item, walk));
    else if (item === null && values !== undefined) list.push(table.create());
    else walk.reportType(item, "object");
    walk.leave();
  }
}

/** A resource inside another one: into the message of its type, or as its JSON text when there is none. */
function readContained(table: ContainedTable, json: JsonObject, walk: Walk): MessageNode | undefined {
  const type = json["resourceType"];
  if (typeof type !== "string" || resourceFhirType(type) === undefined) {
    walk.report("CONTAINED_TYPE_WRONG", {});
    return undefined;
  }
  const node = table.create();
  const typed = table.byType.get(type);
  if (typed !== undefined) {
    node[table.choice] = { case: typed.field, value: readObject(typed.table, json, walk) };
  } else if (nestsWithin(json, MAX_DEPTH)) {
    node[table.choice] = { case: table.otherField, value: stringifyJson(json).toWellFormed() };
  } else {
    walk.report("NESTING_TOO_DEEP", { limit: String(MAX_DEPTH) });
  }
  return node;
}
