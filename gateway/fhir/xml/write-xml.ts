import { isObject } from "../decode-primitive.ts";
import { type FhirElement, type FhirType, fhirType, resourceFhirType } from "../fhir-types.ts";
import { numberText } from "../number-text.ts";
import type { JsonValue } from "../primitives.ts";
import type { FhirJson } from "../writer.ts";
import { xhtmlElement } from "./xhtml.ts";
import { attributeText, FHIR_NAMESPACE } from "./xml-text.ts";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const INDENT = "  ";

/** What goes before a tag: nothing, or a new line with its indentation. */
type Margin = string;

type Attribute = readonly [name: string, value: string];

/**
 * FHIR XML of a resource given as FHIR JSON, elements in the order of R5, indented for people if they ask for it. What
 * R5 does not define has no place in it and is left out; so is a contained resource of a type that R5 does not have.
 */
export function writeXml(resource: FhirJson, pretty = false): string {
  const type = resourceFhirType(resource["resourceType"]);
  if (type === undefined) throw new TypeError(`${String(resource["resourceType"])} is no resource of R5`);
  const margin = pretty ? "\n" : "";
  const content = elementsOf(type, resource, inner(margin));
  return DECLARATION + writeElement(type.name, [["xmlns", FHIR_NAMESPACE]], content, margin);
}

function writeElement(
  name: string,
  attributes: readonly Attribute[],
  content: string,
  margin: Margin,
): string {
  const tag = attributes.map(([key, value]) => ` ${key}="${attributeText(value)}"`).join("");
  if (content === "") return `${margin}<${name}${tag}/>`;
  return `${margin}<${name}${tag}>${content}${margin}</${name}>`;
}

function inner(margin: Margin): Margin {
  return margin === "" ? "" : margin + INDENT;
}

/** The elements of an object, each with all its occurrences; attributes are none of them. */
function elementsOf(type: FhirType, json: FhirJson, margin: Margin): string {
  let text = "";
  for (const element of presentElements(type, json)) {
    if (!element.attribute) text += occurrencesOf(element, json, margin);
  }
  return text;
}

function occurrencesOf(element: FhirElement, json: FhirJson, margin: Margin): string {
  const values = listOf(json[element.jsonName]);
  const extended = element.content.kind === "primitive" ? listOf(json[`_${element.jsonName}`]) : [];
  let text = "";
  for (let index = 0; index < Math.max(values.length, extended.length); index += 1) {
    text += occurrenceOf(element, values[index], extended[index], margin);
  }
  return text;
}

function occurrenceOf(
  { jsonName, content }: FhirElement,
  value: JsonValue,
  extended: JsonValue,
  margin: Margin,
): string {
  switch (content.kind) {
    case "primitive":
      return primitive(jsonName, value, isObject(extended) ? extended : {}, margin);
    case "xhtml":
      return typeof value === "string" ? margin + xhtmlElement(value) : "";
    case "resource":
      return isObject(value) ? resource(jsonName, value, margin) : "";
    case "complex":
      return isObject(value) ? complex(jsonName, fhirType(content.type), value, margin) : "";
  }
}

function primitive(name: string, value: JsonValue, extended: FhirJson, margin: Margin): string {
  const text = primitiveText(value);
  const type = fhirType("Element");
  const attributes = [
    ...attributesOf(type, extended),
    ...(text === undefined ? [] : [["value", text] as const]),
  ];
  const content = elementsOf(type, extended, inner(margin));
  return attributes.length === 0 && content === "" ? "" : writeElement(name, attributes, content, margin);
}

function complex(name: string, type: FhirType, json: FhirJson, margin: Margin): string {
  return writeElement(name, attributesOf(type, json), elementsOf(type, json, inner(margin)), margin);
}

function resource(name: string, json: FhirJson, margin: Margin): string {
  const type = resourceFhirType(json["resourceType"]);
  if (type === undefined) return "";
  return writeElement(name, [], complex(type.name, type, json, inner(margin)), margin);
}

/** The elements that an object has, each once, in the order of the definition. */
function presentElements(type: FhirType, json: FhirJson): FhirElement[] {
  const present = new Set<FhirElement>();
  for (const name of Object.keys(json)) {
    const element = type.elements.get(name.startsWith("_") ? name.slice(1) : name);
    if (element !== undefined) present.add(element);
  }
  return [...present].sort((one, other) => one.order - other.order);
}

function attributesOf(type: FhirType, json: FhirJson): Attribute[] {
  return presentElements(type, json).flatMap(({ attribute, jsonName }) => {
    const value = attribute ? json[jsonName] : undefined;
    return typeof value === "string" ? [[jsonName, value] as const] : [];
  });
}

function primitiveText(value: JsonValue): string | undefined {
  return typeof value === "string" || typeof value === "boolean" ? String(value) : numberText(value);
}

function listOf(value: JsonValue): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
