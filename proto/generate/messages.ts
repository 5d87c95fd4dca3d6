import type { ElementDefinition } from "./definitions.ts";

/** A protobuf message that stands for a resource, a data type or a backbone element. */
export interface MessageModel {
  readonly name: string;
  readonly comment: string;
  /** FHIR resource type, on resources only. */
  readonly resourceType: string | undefined;
  readonly members: readonly Member[];
  readonly nested: readonly MessageModel[];
}

export type Member = FieldModel | OneofModel;

export interface FieldModel {
  readonly kind: "field";
  readonly comment: string;
  readonly label: "" | "optional " | "repeated ";
  readonly type: string;
  readonly name: string;
  readonly number: number;
  /** What R5 says of the element; none on a field that is no FHIR element of its own. */
  readonly rule: { readonly type: string; readonly min: number } | undefined;
}

export interface OneofModel {
  readonly kind: "oneof";
  readonly comment: string;
  readonly name: string;
  readonly min: number;
  readonly fields: readonly FieldModel[];
}

/** First number of the fields that the index adds to a resource. */
const OWN_FIELDS = 200;

const SCALARS: Readonly<Record<string, string>> = {
  boolean: "bool",
  integer: "int32",
  integer64: "int64",
  positiveInt: "uint32",
  unsignedInt: "uint32",
};

const STRINGS = new Set(
  (
    "base64Binary canonical code date dateTime decimal id instant markdown oid string time uri url uuid " +
    "xhtml"
  ).split(" "),
);

/** Elements whose values the index sets itself and keeps in a type of protobuf. */
const OWN_INSTANTS = new Set(["Meta.lastUpdated"]);

const ETAG: FieldModel = {
  kind: "field",
  comment: 'Version of the stored resource for optimistic locking, opaque, such as W/"3".',
  label: "",
  type: "string",
  name: "etag",
  number: OWN_FIELDS,
  rule: undefined,
};

export function isPrimitive(type: string): boolean {
  return type in SCALARS || STRINGS.has(type);
}

/** A data type; every type but the primitive ones. */
export function dataType(definition: ElementDefinition): MessageModel {
  return messageOf(definition, undefined, () => true);
}

/** A resource that the index keeps, with its etag. */
export function resource(definition: ElementDefinition): MessageModel {
  const message = messageOf(definition, definition.name, () => true);
  return { ...message, members: [...message.members, ETAG] };
}

/** The form of a resource inside another one: FHIR allows nothing contained in it, and it has no version. */
export function containedResource(definition: ElementDefinition): MessageModel {
  return messageOf(definition, definition.name, (element) => element.name !== "contained");
}

/**
 * The rule of the field numbers, which must never change, because stored documents depend on it: the elements of a
 * message are counted from 1 in the order of the R5 definition, the types of a choice in the order in which it names
 * them. A primitive takes two numbers, its value's and then its x_element's; a bare one (id, url, div) and every
 * other type take one. An element left out still takes its number. R5 is published and does not change.
 */
function messageOf(
  definition: ElementDefinition,
  resourceType: string | undefined,
  kept: (element: ElementDefinition) => boolean,
): MessageModel {
  const members: Member[] = [];
  let number = 1;
  for (const element of definition.children) {
    const made = membersOf(element, number);
    number += made.flatMap((member) => (member.kind === "oneof" ? member.fields : [member])).length;
    if (kept(element)) members.push(...made);
  }
  if (number > OWN_FIELDS) throw new Error(`${definition.path} has more than ${OWN_FIELDS - 1} fields`);
  return {
    name: pascalCase(definition.name),
    comment: sentence(definition.short),
    resourceType,
    members,
    nested: definition.children
      .filter((element) => element.children.length > 0)
      .map((element) => messageOf(element, undefined, () => true)),
  };
}

function membersOf(element: ElementDefinition, number: number): Member[] {
  return element.choice ? choiceOf(element, number) : fieldsOf(element, number);
}

function fieldsOf(element: ElementDefinition, number: number): FieldModel[] {
  const name = snakeCase(element.name);
  const type = element.types[0] ?? "";
  const label = element.repeated ? "repeated " : isPrimitive(type) ? "optional " : "";
  const field: FieldModel = {
    kind: "field",
    comment: sentence(element.short),
    label: OWN_INSTANTS.has(element.path) ? "" : label,
    type: protoType(element, type),
    name,
    number,
    rule: { type: fhirType(element, type), min: element.min },
  };
  if (element.repeated && type in SCALARS) throw new Error(`${element.path}: no value stands for a null`);
  return hasElementField(element, type) ? [field, elementField(field, number + 1)] : [field];
}

function choiceOf(element: ElementDefinition, first: number): Member[] {
  const fields: FieldModel[] = [];
  const elementFields: FieldModel[] = [];
  let number = first;
  for (const type of element.types) {
    const field: FieldModel = {
      kind: "field",
      comment: `As ${type}.`,
      label: "",
      type: protoType(element, type),
      name: snakeCase(element.name + pascalCase(type)),
      number: number++,
      rule: { type, min: 0 },
    };
    fields.push(field);
    if (hasElementField(element, type)) elementFields.push(elementField(field, number++));
  }
  const oneof: OneofModel = {
    kind: "oneof",
    comment: sentence(element.short),
    name: snakeCase(element.name),
    min: element.min,
    fields,
  };
  return [oneof, ...elementFields];
}

function hasElementField(element: ElementDefinition, type: string): boolean {
  return isPrimitive(type) && !element.bare;
}

function elementField(of: FieldModel, number: number): FieldModel {
  return {
    kind: "field",
    comment: `Id and extensions of ${of.name}.`,
    label: of.label === "repeated " ? "repeated " : "",
    type: "Element",
    name: `${of.name}_element`,
    number,
    rule: undefined,
  };
}

function protoType(element: ElementDefinition, type: string): string {
  if (OWN_INSTANTS.has(element.path)) return "google.protobuf.Timestamp";
  if (element.contentOf !== undefined) return element.contentOf.split(".").map(pascalCase).join(".");
  if (element.children.length > 0) return pascalCase(element.name);
  if (type === "Resource") return "ContainedResource";
  return SCALARS[type] ?? (STRINGS.has(type) ? "string" : type);
}

function fhirType(element: ElementDefinition, type: string): string {
  return element.contentOf ?? (element.children.length > 0 ? element.path : type);
}

function snakeCase(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const jsonName = snake.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  if (jsonName !== name) throw new Error(`${name} is not the JSON name of ${snake}`);
  return snake;
}

export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function sentence(short: string): string {
  const text = short.replace(/\s+/g, " ").trim();
  const opened = text.includes(" | ") ? `Codes: ${text}` : pascalCase(text);
  return /[.?!)+]$/.test(opened) ? opened : `${opened}.`;
}
