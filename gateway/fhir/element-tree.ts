import { addElement, addPrimitive } from "./add-element.ts";
import { isObject } from "./decode-primitive.ts";
import { type FhirElement, type FhirType, fhirType } from "./fhir-types.ts";
import { numberText } from "./number-text.ts";
import type { JsonValue } from "./primitives.ts";
import type { Walk } from "./walk.ts";
import type { FhirJson } from "./writer.ts";

/**
 * An element of a resource with what is in it, so that a list of primitives with extensions is a list, too. Attributes
 * are elements here, as they are in FHIRPath.
 */
export interface ElementNode {
  /** Its definition; undefined for the resource itself. */
  element: FhirElement | undefined;
  /** What it may have inside: of a primitive id and extensions. */
  readonly type: FhirType;
  /** Of a primitive its value in JSON, of an element that holds a resource the whole of it. */
  readonly value: JsonValue;
  readonly children: ElementNode[];
  /** What it is inside of; undefined for the resource itself. */
  parent: ElementNode | undefined;
}

export function elementNode(
  element: FhirElement | undefined,
  type: FhirType,
  value: JsonValue,
  children: ElementNode[],
): ElementNode {
  const node: ElementNode = { element, type, value, children, parent: undefined };
  for (const child of children) child.parent = node;
  return node;
}

/** The tree of a resource or an element, given as FHIR JSON; what is wrong with its structure is told to the walk. */
export function treeOf(type: FhirType, json: FhirJson, walk: Walk, element?: FhirElement): ElementNode {
  const children: ElementNode[] = [];
  if (!walk.descend()) return elementNode(element, type, undefined, children);
  const names = Object.keys(json);
  if (names.length === 0) walk.report("ELEMENT_EMPTY", {});
  for (const jsonName of new Set(names.map(plainName))) {
    const child = type.elements.get(jsonName);
    if (child !== undefined && (child.content.kind === "primitive" || !(`_${jsonName}` in json))) {
      walk.enter(child.name);
      // As arguments of one call they would be more than the stack has room for.
      for (const one of occurrencesOf(child, json, walk)) children.push(one);
      walk.leave();
    } else if (jsonName !== "resourceType" || element !== undefined) {
      walk.reportChild("ELEMENT_UNKNOWN", jsonName);
    }
  }
  walk.ascend();
  return elementNode(element, type, undefined, children);
}

/** FHIR JSON of what is in a node. */
export function jsonOf({ element, type, children }: ElementNode): FhirJson {
  const json: FhirJson = element === undefined ? { resourceType: type.name } : {};
  for (const child of children) {
    if (child.element === undefined) continue;
    const { kind } = child.element.content;
    if (kind === "primitive") addPrimitive(json, child.element, child.value, jsonOf(child));
    else addElement(json, child.element, kind === "complex" ? jsonOf(child) : child.value);
  }
  return json;
}

function plainName(name: string): string {
  return name.startsWith("_") ? name.slice(1) : name;
}

function occurrencesOf(element: FhirElement, json: FhirJson, walk: Walk): ElementNode[] {
  const given = json[element.jsonName];
  const beside = json[`_${element.jsonName}`];
  if (!element.repeated) return occurrenceOf(element, given, beside, walk);
  const values = listOf(given, walk);
  const extended = listOf(beside, walk);
  return Array.from({ length: Math.max(values.length, extended.length) }, (_, index) => {
    walk.enter(index);
    const nodes = occurrenceOf(element, values[index] ?? undefined, extended[index] ?? undefined, walk);
    walk.leave();
    return nodes;
  }).flat();
}

function listOf(given: JsonValue, walk: Walk): readonly JsonValue[] {
  if (Array.isArray(given)) return given;
  if (given !== undefined) walk.reportType(given, "array");
  return [];
}

/** The node of an occurrence; none when it is wrong, which the walk was told. */
function occurrenceOf(element: FhirElement, given: JsonValue, beside: JsonValue, walk: Walk): ElementNode[] {
  const { content } = element;
  if (content.kind === "primitive") return primitive(element, content.codec.jsonType, given, beside, walk);
  if (content.kind === "xhtml") return primitive(element, "string", given, undefined, walk);
  if (!isObject(given)) {
    walk.reportType(given, "object");
    return [];
  }
  if (content.kind === "complex") return [treeOf(fhirType(content.type), given, walk, element)];
  return [elementNode(element, fhirType("Element"), given, [])];
}

function primitive(
  element: FhirElement,
  jsonType: "string" | "number" | "boolean",
  value: JsonValue,
  beside: JsonValue,
  walk: Walk,
): ElementNode[] {
  const isValue = jsonType === "number" ? numberText(value) !== undefined : typeof value === jsonType;
  if (value === "") walk.report("ELEMENT_EMPTY", {});
  else if (value !== undefined && !isValue) walk.reportType(value, jsonType);
  else if (beside !== undefined && !isObject(beside)) walk.reportType(beside, "object");
  else if (value === undefined && beside === undefined) walk.report("ELEMENT_EMPTY", {});
  else {
    const type = fhirType("Element");
    const children = isObject(beside) ? treeOf(type, beside, walk, element).children : [];
    return [elementNode(element, type, value, children)];
  }
  return [];
}
