import type { ElementEntry, PrimitiveContent } from "./elements.ts";
import type { MessageNode } from "./message-node.ts";
import { isNumberText } from "./number-text.ts";
import type { JsonValue, PrimitiveCodec } from "./primitives.ts";
import type { Walk } from "./walk.ts";

export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Stands for a null among the values of a repeated primitive. */
export const NO_VALUE = "";

/** Reads the value of a primitive, or the list of its values. */
export function readPrimitive(
  entry: ElementEntry,
  { codec, element }: PrimitiveContent,
  json: JsonObject,
  node: MessageNode,
  walk: Walk,
): void {
  const given = json[entry.jsonName];
  if (!entry.repeated) {
    setValue(entry, readValue(codec, given, walk), node);
    return;
  }
  if (!Array.isArray(given)) {
    walk.reportType(given, "array");
    return;
  }
  if (given.length === 0) walk.report("ELEMENT_EMPTY", {});
  const elements = element === undefined ? undefined : json[element.jsonName];
  node[entry.field] = given.map((item: JsonValue, index) => {
    walk.enter(index);
    const value = item === null && stands(elements, index) ? NO_VALUE : readValue(codec, item, walk);
    walk.leave();
    return value;
  });
}

/** Whether the null of a value is made up for by an id or extensions. */
function stands(elements: JsonValue, index: number): boolean {
  return Array.isArray(elements) && isObject(elements[index]);
}

function readValue(codec: PrimitiveCodec, json: JsonValue, walk: Walk): unknown {
  if (jsonType(json) !== codec.jsonType) {
    walk.reportType(json, codec.jsonType);
    return undefined;
  }
  if (json === "") {
    walk.report("ELEMENT_EMPTY", {});
    return undefined;
  }
  const value = codec.decode(json);
  if (value === undefined) walk.report("PRIMITIVE_INVALID", { type: codec.type });
  return value;
}

function jsonType(json: JsonValue): string {
  return isNumberText(json) ? "number" : typeof json;
}

/** Puts the value of an element that stands once into the message, into its choice when it is one. */
export function setValue({ field, choice }: ElementEntry, value: unknown, node: MessageNode): void {
  if (value === undefined) return;
  if (choice === undefined) node[field] = value;
  else node[choice.field] = { case: field, value };
}

/** An object of JSON, and neither an array nor a number kept as text. */
export function isObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !isNumberText(json);
}
