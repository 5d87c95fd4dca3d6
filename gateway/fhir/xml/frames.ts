import { addElement, addPrimitive } from "../add-element.ts";
import { type FhirElement, type FhirType, fhirType, resourceFhirType } from "../fhir-types.ts";
import type { JsonValue, PrimitiveCodec } from "../primitives.ts";
import type { Walk } from "../walk.ts";
import type { FhirJson } from "../writer.ts";
import { isNestedBody, walkOfNested } from "./nested-bodies.ts";
import type { XmlTag } from "./scan-xml.ts";
import { XhtmlText } from "./xhtml.ts";
import { FHIR_NAMESPACE, XHTML_NAMESPACE } from "./xml-text.ts";

/** An XML element that the scan is inside of. */
export interface Frame {
  child(tag: XmlTag): Frame;
  text(text: string): void;
  end(): void;
}

const SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";
const XMLNS = "http://www.w3.org/2000/xmlns/";
const NOT_SPACE = /[^ \t\r\n]/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What is not understood, all that is inside of it included. */
export const SKIPPED: Frame = { child: () => SKIPPED, text: () => undefined, end: () => undefined };

/** A resource whose elements come to stand in `json`. */
export function resourceFrame(type: FhirType, tag: XmlTag, json: FhirJson, walk: Walk): Frame {
  readAttributes(type, tag, json, walk);
  return objectFrame(type, json, walk, () => undefined);
}

function objectFrame(type: FhirType, json: FhirJson, walk: Walk, end: () => void): Frame {
  let last = 0;
  return {
    child(tag) {
      const element = elementOf(type, tag, walk);
      if (element === undefined) return SKIPPED;
      enter(element, json, walk);
      if (element.order < last) walk.report("ELEMENT_OUT_OF_ORDER", {});
      last = Math.max(last, element.order);
      if (element.repeated || !isPresent(element, json)) return contentFrame(element, tag, json, walk);
      walk.report("ELEMENT_REPEATED_TOO_OFTEN", { max: "1" });
      leave(element, walk);
      return SKIPPED;
    },
    text: (text) => refuseText(text, walk),
    end,
  };
}

function elementOf(type: FhirType, tag: XmlTag, walk: Walk): FhirElement | undefined {
  const element = type.elements.get(tag.local);
  const namespace = element?.content.kind === "xhtml" ? XHTML_NAMESPACE : FHIR_NAMESPACE;
  if (element === undefined || element.attribute) walk.reportChild("ELEMENT_UNKNOWN", tag.local);
  else if (tag.uri === namespace) return element;
  else reportNamespace(element.name, namespace, walk);
  return undefined;
}

function reportNamespace(name: string, namespace: string, walk: Walk): void {
  walk.enter(name);
  walk.report("NAMESPACE_WRONG", { namespace });
  walk.leave();
}

function enter({ name, jsonName, repeated }: FhirElement, json: FhirJson, walk: Walk): void {
  walk.enter(name);
  if (repeated) walk.enter(((json[jsonName] as JsonValue[] | undefined) ?? []).length);
}

function leave({ repeated }: FhirElement, walk: Walk): void {
  if (repeated) walk.leave();
  walk.leave();
}

function isPresent({ jsonName }: FhirElement, json: FhirJson): boolean {
  return json[jsonName] !== undefined || json[`_${jsonName}`] !== undefined;
}

function refuseText(text: string, walk: Walk): void {
  if (NOT_SPACE.test(text)) walk.report("TEXT_NOT_ALLOWED", {});
}

function contentFrame(element: FhirElement, tag: XmlTag, json: FhirJson, walk: Walk): Frame {
  const { content } = element;
  switch (content.kind) {
    case "primitive":
      return primitiveFrame(element, content.codec, tag, json, walk);
    case "complex":
      return complexFrame(element, fhirType(content.type), tag, json, walk);
    case "resource":
      return holderFrame(element, tag, json, walk);
    case "xhtml":
      return xhtmlFrame(element, tag, json, walk);
  }
}

function complexFrame(element: FhirElement, type: FhirType, tag: XmlTag, json: FhirJson, walk: Walk): Frame {
  const own: FhirJson = {};
  readAttributes(type, tag, own, walk);
  return objectFrame(type, own, walk, () => {
    addElement(json, element, own);
    leave(element, walk);
  });
}

/** The value is an attribute; id and extensions are what they are of any element. */
function primitiveFrame(
  element: FhirElement,
  codec: PrimitiveCodec,
  tag: XmlTag,
  json: FhirJson,
  walk: Walk,
): Frame {
  const type = fhirType("Element");
  const own: FhirJson = {};
  readAttributes(type, tag, own, walk, "value");
  const text = tag.attributes["value"]?.value;
  const value = text === undefined ? undefined : readValue(text, codec, walk);
  return objectFrame(type, own, walk, () => {
    addPrimitive(json, element, value, own);
    leave(element, walk);
  });
}

function readValue(text: string, codec: PrimitiveCodec, walk: Walk): JsonValue {
  if (codec.jsonType === "string") return text;
  if (codec.jsonType === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (codec.jsonType === "number" && JSON_NUMBER.test(text)) {
    const number = Number(text);
    return String(number) === text ? number : JSON.rawJSON(text);
  }
  if (text === "") walk.report("ELEMENT_EMPTY", {});
  else walk.report("PRIMITIVE_INVALID", { type: codec.type });
  return text;
}

/** An element that holds one resource, which brings its type as a tag of its own. */
function holderFrame(element: FhirElement, tag: XmlTag, json: FhirJson, walk: Walk): Frame {
  readAttributes(fhirType("Resource"), tag, {}, walk);
  const isBody = isNestedBody(element);
  let held: FhirJson | undefined;
  return {
    child(inner) {
      const type = resourceFhirType(inner.local);
      if (inner.uri !== FHIR_NAMESPACE) walk.report("NAMESPACE_WRONG", { namespace: FHIR_NAMESPACE });
      else if (held !== undefined) walk.report("ELEMENT_REPEATED_TOO_OFTEN", { max: "1" });
      else if (type === undefined) {
        // Whoever wants the body says which type it should be.
        if (isBody) held = { resourceType: inner.local };
        else walk.report("CONTAINED_TYPE_WRONG", {});
      } else {
        held = { resourceType: type.name };
        return resourceFrame(type, inner, held, isBody ? walkOfNested(type, held) : walk);
      }
      return SKIPPED;
    },
    text: (text) => refuseText(text, walk),
    end() {
      addElement(json, element, held ?? {});
      leave(element, walk);
    },
  };
}

function xhtmlFrame(element: FhirElement, tag: XmlTag, json: FhirJson, walk: Walk): Frame {
  const copy = new XhtmlText();
  copy.open(tag);
  const frame: Frame = {
    child(inner) {
      copy.open(inner);
      return frame;
    },
    text: (text) => copy.text(text),
    end() {
      if (!copy.close()) return;
      addElement(json, element, copy.toString());
      leave(element, walk);
    },
  };
  return frame;
}

/** Puts the attributes of a type into `json`; all others but those of XML itself are unknown. */
function readAttributes(type: FhirType, tag: XmlTag, json: FhirJson, walk: Walk, other?: "value"): void {
  for (const { uri, local, value } of Object.values(tag.attributes)) {
    if (uri === XMLNS || (uri === SCHEMA_INSTANCE && local === "schemaLocation")) continue;
    if (uri === "" && type.elements.get(local)?.attribute === true) json[local] = value;
    else if (uri !== "" || local !== other) walk.reportChild("ELEMENT_UNKNOWN", local);
  }
}
