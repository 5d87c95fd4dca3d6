import { type DescField, type DescMessage, type DescOneof, getOption, hasOption } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { choice_min, element, resource_type } from "#proto/patientindex/v1/fhir_pb.ts";
import { blankMessages } from "../../src/messages/index.ts";
import type { MessageNode } from "./message-node.ts";
import { type PrimitiveCodec, primitiveCodecs, timestampCodec } from "./primitives.ts";

/** What the codec knows of a message type. */
export interface ElementTable {
  /** FHIR resource type; undefined for a data type. */
  readonly resourceType: string | undefined;
  readonly isExtension: boolean;
  /** Its FHIR elements in the order of the definition. */
  readonly members: readonly ElementMember[];
  /** Elements by the names that FHIR JSON has for them, the _names of primitives among them. */
  readonly properties: ReadonlyMap<string, ElementProperty>;
  /** Elements of which there must be one. */
  readonly required: readonly RequiredElement[];
  /** A message without content. */
  readonly create: () => MessageNode;
}

export type ElementMember = { readonly kind: "element"; readonly entry: ElementEntry } | ChoiceMember;

/** A choice element: the entries of its types by case, and those whose types are primitive. */
export interface ChoiceMember {
  readonly kind: "choice";
  readonly field: string;
  readonly byCase: ReadonlyMap<string, ElementEntry>;
  readonly primitives: readonly ElementEntry[];
}

export interface ElementEntry {
  /** FHIR name, without the type of a choice: deceased. */
  readonly name: string;
  /** Name in JSON, with the type of a choice: deceasedBoolean. */
  readonly jsonName: string;
  /** Field of the message; of a choice, its case. */
  readonly field: string;
  readonly repeated: boolean;
  /** Field of a choice, and its place among the choices of the message. */
  readonly choice: { readonly field: string; readonly index: number } | undefined;
  readonly content: ElementContent;
}

export type ElementContent =
  | PrimitiveContent
  | { readonly kind: "complex"; readonly table: ElementTable }
  | { readonly kind: "resource"; readonly contained: ContainedTable };

export interface PrimitiveContent {
  readonly kind: "primitive";
  readonly codec: PrimitiveCodec;
  /** Where its id and extensions are; undefined for a bare value, which has none. */
  readonly element: PrimitiveElement | undefined;
}

/** The id and extensions of a primitive: field of the message, _name in JSON, and the type Element. */
export interface PrimitiveElement {
  readonly field: string;
  readonly jsonName: string;
  readonly table: ElementTable;
}

export interface ElementProperty {
  readonly entry: ElementEntry;
  /** True for the _name of a primitive. */
  readonly ofElement: boolean;
}

export interface RequiredElement {
  readonly name: string;
  /** Names in JSON one of which must be there. */
  readonly jsonNames: readonly string[];
}

/** ContainedResource: the resource types with a message of their own; any other is kept as JSON text. */
export interface ContainedTable {
  readonly create: () => MessageNode;
  /** Field of the choice among the types. */
  readonly choice: string;
  readonly byType: ReadonlyMap<string, { readonly field: string; readonly table: ElementTable }>;
  readonly tables: ReadonlyMap<string, ElementTable>;
  /** Case of the choice that holds JSON text. */
  readonly otherField: string;
}

const tables = new Map<string, ElementTable>();
const containedTables = new Map<string, ContainedTable>();

/** The table of a FHIR message type, compiled once from the options of its descriptor. */
export function elementTable(desc: DescMessage): ElementTable {
  const known = tables.get(desc.typeName);
  if (known !== undefined) return known;
  const members: ElementMember[] = [];
  const properties = new Map<string, ElementProperty>();
  const required: RequiredElement[] = [];
  const resourceType = hasOption(desc, resource_type) ? getOption(desc, resource_type) : undefined;
  const isExtension = desc.typeName === ExtensionSchema.typeName;
  const table = { resourceType, isExtension, members, properties, required, create: blankMessages(desc) };
  // Known before it is filled: types contain each other.
  tables.set(desc.typeName, table);
  const entries = new Map(desc.fields.filter(isElement).map((field) => [field, entryOf(field)]));
  for (const entry of entries.values()) addProperties(entry, properties);
  members.push(...desc.members.flatMap((member) => memberOf(member, entries)));
  required.push(...desc.members.flatMap((member) => requiredOf(member, entries)));
  return table;
}

function isElement(field: DescField): boolean {
  return hasOption(field, element);
}

function addProperties(entry: ElementEntry, properties: Map<string, ElementProperty>): void {
  properties.set(entry.jsonName, { entry, ofElement: false });
  const own = primitiveElement(entry);
  if (own !== undefined) properties.set(own.jsonName, { entry, ofElement: true });
}

function memberOf(
  member: DescField | DescOneof,
  entries: ReadonlyMap<DescField, ElementEntry>,
): ElementMember[] {
  const [first, ...others] = entriesOf(member, entries);
  if (first === undefined) return [];
  if (member.kind === "field") return [{ kind: "element", entry: first }];
  const all = [first, ...others];
  return [
    {
      kind: "choice",
      field: member.localName,
      byCase: new Map(all.map((entry) => [entry.field, entry])),
      primitives: all.filter((entry) => entry.content.kind === "primitive"),
    },
  ];
}

function requiredOf(
  member: DescField | DescOneof,
  entries: ReadonlyMap<DescField, ElementEntry>,
): RequiredElement[] {
  const min = member.kind === "oneof" ? getOption(member, choice_min) : getOption(member, element).min;
  if (min === 0) return [];
  return [{ name: member.localName, jsonNames: entriesOf(member, entries).flatMap(jsonNamesOf) }];
}

function entriesOf(
  member: DescField | DescOneof,
  entries: ReadonlyMap<DescField, ElementEntry>,
): readonly ElementEntry[] {
  const fields = member.kind === "oneof" ? member.fields : [member];
  return fields.flatMap((field) => entries.get(field) ?? []);
}

function entryOf(field: DescField): ElementEntry {
  const { oneof } = field;
  return {
    name: oneof?.localName ?? field.localName,
    jsonName: field.jsonName,
    field: field.localName,
    repeated: field.fieldKind === "list",
    choice: oneof && { field: oneof.localName, index: field.parent.oneofs.indexOf(oneof) },
    content: contentOf(field),
  };
}

function contentOf(field: DescField): ElementContent {
  const { type } = getOption(field, element);
  const codec =
    field.message?.typeName === TimestampSchema.typeName ? timestampCodec : primitiveCodecs.get(type);
  if (codec !== undefined) {
    const own = field.parent.fields.find(({ name }) => name === `${field.name}_element`);
    if (own?.message === undefined) return { kind: "primitive", codec, element: undefined };
    const table = elementTable(own.message);
    return {
      kind: "primitive",
      codec,
      element: { field: own.localName, jsonName: `_${field.jsonName}`, table },
    };
  }
  if (field.message === undefined) throw new Error(`${field.toString()} has no primitive FHIR type`);
  if (type === "Resource") return { kind: "resource", contained: containedTable(field.message) };
  return { kind: "complex", table: elementTable(field.message) };
}

function containedTable(desc: DescMessage): ContainedTable {
  const known = containedTables.get(desc.typeName);
  if (known !== undefined) return known;
  const [choice] = desc.oneofs;
  const other = choice?.fields.find((field) => field.message === undefined);
  if (choice === undefined || other === undefined)
    throw new Error(`${desc.typeName} is no choice of resources`);
  const typed = choice.fields.flatMap((field) =>
    field.message === undefined ? [] : [{ field: field.localName, table: elementTable(field.message) }],
  );
  const table: ContainedTable = {
    create: blankMessages(desc),
    choice: choice.localName,
    byType: new Map(typed.map((entry) => [entry.table.resourceType ?? "", entry])),
    tables: new Map(typed.map((entry) => [entry.field, entry.table])),
    otherField: other.localName,
  };
  containedTables.set(desc.typeName, table);
  return table;
}

function jsonNamesOf(entry: ElementEntry): string[] {
  const own = primitiveElement(entry);
  return own === undefined ? [entry.jsonName] : [entry.jsonName, own.jsonName];
}

function primitiveElement({ content }: ElementEntry): PrimitiveElement | undefined {
  return content.kind === "primitive" ? content.element : undefined;
}
