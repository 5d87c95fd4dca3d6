import { type Fault, fault, MpiError, refuseFor } from "../../../src/errors/index.ts";
import {
  type ElementNode,
  elementNode,
  type FhirElement,
  type FhirType,
  fhirType,
  isJsonObject,
  type JsonValue,
  numberText,
  treeOf,
  Walk,
} from "../../fhir/index.ts";
import { knownOperations } from "../known-operations.ts";
import { type Path, parsePath } from "./path-text.ts";

/** An operation of a FHIRPath Patch (R5, fhirpatch.html). */
export type FhirPathPatchOperation = { readonly path: Path; readonly pathText: string } & (
  | { readonly kind: "add"; readonly name: string; readonly value: PatchValue }
  | { readonly kind: "insert"; readonly index: number; readonly value: PatchValue }
  | { readonly kind: "replace"; readonly value: PatchValue }
  | { readonly kind: "move"; readonly source: number; readonly destination: number }
  | { readonly kind: "delete" }
);

/** A value to put somewhere: with a type of its own, or by the elements of a type that has no name. */
export type PatchValue =
  | { readonly kind: "typed"; readonly node: ElementNode }
  | {
      readonly kind: "parts";
      readonly parts: readonly { readonly name: string; readonly value: PatchValue }[];
    };

type Kind = FhirPathPatchOperation["kind"];

/** The parts that each operation has beside its type and path. */
const PARTS: Readonly<Record<Kind, readonly string[]>> = {
  add: ["name", "value"],
  insert: ["index", "value"],
  replace: ["value"],
  move: ["source", "destination"],
  delete: [],
};

/** Each goes through the whole resource. */
const MOST_OPERATIONS = 1000;

/**
 * The operations of a Parameters resource. Refused with what is wrong with its structure, else with all parameters that
 * are no operations (PATCH_MALFORMED).
 */
export function readOperations(json: JsonValue): FhirPathPatchOperation[] {
  if (!isJsonObject(json) || json["resourceType"] !== "Parameters") {
    throw new MpiError("RESOURCE_TYPE_WRONG", { expected: "Parameters" }, { expression: ["Parameters"] });
  }
  const walk = new Walk("Parameters");
  const { children } = treeOf(fhirType("Parameters"), json, walk);
  const parameters = children.filter(({ element }) => element?.name === "parameter");
  refuseFor([...walk.faults, ...tooMany(parameters.length)]);
  return knownOperations(parameters.map(readOperation), (index) => `Parameters.parameter[${index}]`);
}

function tooMany(count: number): Fault[] {
  if (count <= MOST_OPERATIONS) return [];
  const element = "Parameters.parameter";
  return [
    fault("ELEMENT_REPEATED_TOO_OFTEN", { element, max: String(MOST_OPERATIONS) }, { expression: [element] }),
  ];
}

function readOperation(parameter: ElementNode): FhirPathPatchOperation | undefined {
  const parts = partsOf(parameter);
  if (nameOf(parameter) !== "operation" || parts === undefined) return undefined;
  const kind = textOf(parts.get("type"));
  const pathText = textOf(parts.get("path"));
  const path = pathText === undefined ? undefined : parsePath(pathText);
  if (!isKind(kind) || path === undefined || pathText === undefined) return undefined;
  const known = new Set(["type", "path", ...PARTS[kind]]);
  if (parts.size !== known.size || [...parts.keys()].some((name) => !known.has(name))) return undefined;
  return withParts(kind, { path, pathText }, parts);
}

function withParts(
  kind: Kind,
  target: Pick<FhirPathPatchOperation, "path" | "pathText">,
  parts: ReadonlyMap<string, ElementNode>,
): FhirPathPatchOperation | undefined {
  const value = valueOfPart(parts.get("value"));
  const name = textOf(parts.get("name"));
  const number = (part: string) => indexOf(parts.get(part));
  switch (kind) {
    case "add":
      return name !== undefined && value ? { ...target, kind, name, value } : undefined;
    case "replace":
      return value && { ...target, kind, value };
    case "insert": {
      const index = number("index");
      return index !== undefined && value ? { ...target, kind, index, value } : undefined;
    }
    case "move": {
      const [source, destination] = [number("source"), number("destination")];
      if (source === undefined || destination === undefined) return undefined;
      return { ...target, kind, source, destination };
    }
    case "delete":
      return { ...target, kind };
  }
}

function isKind(text: string | undefined): text is Kind {
  return text !== undefined && Object.hasOwn(PARTS, text);
}

/** The parts of a parameter by name; undefined when there is none, or one twice or without a name. */
function partsOf(parameter: ElementNode): Map<string, ElementNode> | undefined {
  const parts = parameter.children.filter(({ element }) => element?.name === "part");
  const named = new Map(parts.map((part) => [nameOf(part) ?? "", part]));
  return named.has("") || named.size < parts.length || parts.length === 0 ? undefined : named;
}

function nameOf({ children }: ElementNode): string | undefined {
  return text(children.find(({ element }) => element?.name === "name"));
}

/** What a part has for a value: `value[x]` or a resource. */
function contentOf(part: ElementNode | undefined): ElementNode | undefined {
  const found = part?.children.filter(
    ({ element }) => element?.name === "value" || element?.name === "resource",
  );
  return found?.length === 1 ? found[0] : undefined;
}

function textOf(part: ElementNode | undefined): string | undefined {
  return text(contentOf(part));
}

function text(node: ElementNode | undefined): string | undefined {
  return typeof node?.value === "string" ? node.value : undefined;
}

function indexOf(part: ElementNode | undefined): number | undefined {
  const given = numberText(contentOf(part)?.value);
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

function valueOfPart(part: ElementNode | undefined): PatchValue | undefined {
  if (part === undefined) return undefined;
  const node = contentOf(part);
  const inside = part.children.filter(({ element }) => element?.name === "part");
  if (node !== undefined) return inside.length === 0 ? { kind: "typed", node } : undefined;
  const parts = inside.map((one) => ({ name: nameOf(one), value: valueOfPart(one) }));
  const isWhole = (one: (typeof parts)[0]): one is { name: string; value: PatchValue } =>
    one.name !== undefined && one.value !== undefined;
  return parts.length > 0 && parts.every(isWhole) ? { kind: "parts", parts } : undefined;
}

/** The node of a value as an element of a type; undefined when the type has no element of that name that it fits. */
export function nodeFor(type: FhirType, name: string, value: PatchValue): ElementNode | undefined {
  const elements = [...type.elements.values()].filter((element) => element.name === name);
  if (value.kind === "typed") {
    const element = elements.find((one) => fits(one, elements.length > 1, value.node));
    return element && copyAs(element, value.node);
  }
  const [element] = elements;
  if (element?.content.kind !== "complex" || elements.length > 1) return undefined;
  const own = fhirType(element.content.type);
  const children: ElementNode[] = [];
  for (const part of value.parts) {
    const child = nodeFor(own, part.name, part.value);
    if (child?.element === undefined || isTaken(children, child.element)) return undefined;
    children.push(child);
  }
  return elementNode(element, own, undefined, children);
}

/** Whether an element that may be there once is there already, be it with another type of its choice. */
export function isTaken(children: readonly ElementNode[], { name, repeated }: FhirElement): boolean {
  return !repeated && children.some(({ element }) => element?.name === name);
}

/** Of a choice the type decides; elsewhere a primitive value may be of any type that looks alike in JSON. */
function fits({ content }: FhirElement, isChoice: boolean, { element, value }: ElementNode): boolean {
  const given = element?.content;
  if (given === undefined) return false;
  if (content.kind === "xhtml") return typeof value === "string";
  if (content.kind === "complex") return given.kind === "complex" && given.type === content.type;
  if (content.kind === "resource") return given.kind === "resource";
  if (given.kind !== "primitive") return false;
  return isChoice ? given.codec.type === content.codec.type : given.codec.jsonType === content.codec.jsonType;
}

/** A patch without If-Match can be done again, to another version. */
function copyAs(element: FhirElement | undefined, { type, value, children }: ElementNode): ElementNode {
  const copies = children.map((child) => copyAs(child.element, child));
  return elementNode(element, type, value, copies);
}
