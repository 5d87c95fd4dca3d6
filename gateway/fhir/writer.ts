import { compiled, type NameOf } from "../../src/messages/index.ts";
import { NO_VALUE } from "./decode-primitive.ts";
import type {
  ChoiceMember,
  ContainedTable,
  ElementContent,
  ElementEntry,
  ElementMember,
  ElementTable,
  PrimitiveContent,
} from "./elements.ts";
import { readJson } from "./json.ts";
import type { MessageNode } from "./message-node.ts";
import type { JsonValue, PrimitiveCodec } from "./primitives.ts";

/** An object of FHIR JSON: what stringifyJson takes. */
export type FhirJson = Record<string, JsonValue>;

/** Makes the FHIR JSON of messages of one type. */
export interface Writer {
  write(node: MessageNode): FhirJson;
}

const writers = new Map<ElementTable, Writer>();

export function writerOf(table: ElementTable): Writer {
  const known = writers.get(table);
  if (known !== undefined) return known;
  // Compiled when it is used first: types contain each other.
  const writer: Writer = {
    write(node) {
      writer.write = compile(table);
      return writer.write(node);
    },
  };
  writers.set(table, writer);
  return writer;
}

function compile(table: ElementTable): Writer["write"] {
  return compiled((nameOf) => {
    const members = table.members.map((member) => memberCode(member, nameOf));
    const start = table.resourceType === undefined ? "{}" : `{ resourceType: "${table.resourceType}" }`;
    return `(node) => { const json = ${start}; ${members.join("\n")} return json; }`;
  });
}

function memberCode(member: ElementMember, nameOf: NameOf): string {
  if (member.kind === "choice") return choiceCode(member, nameOf);
  return elementCode(member.entry, `node.${member.entry.field}`, nameOf);
}

function choiceCode({ field, byCase, primitives }: ChoiceMember, nameOf: NameOf): string {
  const cases = byCase
    .values()
    .map((entry) => `case "${entry.field}": ${elementCode(entry, `node.${field}.value`, nameOf)} break;`);
  // No value, but perhaps an extension that says why.
  const unset = primitives.map(({ content }) => ownCode(content, nameOf));
  return `switch (node.${field}.case) { ${[...cases].join("\n")} default: ${unset.join("\n")} }`;
}

function elementCode({ content, jsonName, repeated }: ElementEntry, value: string, nameOf: NameOf): string {
  const isThere = repeated ? `${value}.length > 0` : `${value} !== undefined`;
  const written = repeated ? listCode(content, value, nameOf) : valueCode(content, value, nameOf);
  const own = repeated ? ownListCode(content, nameOf) : ownCode(content, nameOf);
  return `if (${isThere}) json.${jsonName} = ${written}; ${own}`;
}

function valueCode(content: ElementContent, value: string, nameOf: NameOf): string {
  if (content.kind === "primitive") return `${nameOf(content.codec)}.encode(${value})`;
  return `${nameOf(complexWriter(content))}.write(${value})`;
}

function listCode(content: ElementContent, list: string, nameOf: NameOf): string {
  if (content.kind === "primitive") return `${nameOf(encodeAll)}(${list}, ${nameOf(content.codec)})`;
  return `${nameOf(writeAll)}(${list}, ${nameOf(complexWriter(content))})`;
}

/** The id and extensions of a primitive. */
function ownCode(content: ElementContent, nameOf: NameOf): string {
  const element = elementOf(content);
  if (element === undefined) return "";
  const { field, jsonName, table } = element;
  return `if (node.${field} !== undefined) json.${jsonName} = ${nameOf(writerOf(table))}.write(node.${field});`;
}

function ownListCode(content: ElementContent, nameOf: NameOf): string {
  const element = elementOf(content);
  if (element === undefined) return "";
  const { field, jsonName, table } = element;
  const written = `${nameOf(writeWhereFilled)}(node.${field}, ${nameOf(writerOf(table))})`;
  return `if (node.${field}.length > 0) json.${jsonName} = ${written};`;
}

function elementOf(content: ElementContent): PrimitiveContent["element"] {
  return content.kind === "primitive" ? content.element : undefined;
}

function complexWriter(content: Exclude<ElementContent, PrimitiveContent>): Writer {
  return content.kind === "complex" ? writerOf(content.table) : containedWriter(content.contained);
}

function containedWriter({ choice, tables }: ContainedTable): Writer {
  return {
    write(node) {
      const chosen = node[choice] as { case: string; value: unknown };
      const typed = tables.get(chosen.case);
      return typed === undefined
        ? (readJson(chosen.value as string) as FhirJson)
        : writerOf(typed).write(chosen.value as MessageNode);
    },
  };
}

function encodeAll(values: readonly unknown[], codec: PrimitiveCodec): JsonValue[] {
  return values.map((value) => (value === NO_VALUE ? null : codec.encode(value)));
}

function writeAll(nodes: readonly MessageNode[], writer: Writer): FhirJson[] {
  return nodes.map((node) => writer.write(node));
}

/** Null stands for a value without id and extensions among values that have some. */
function writeWhereFilled(nodes: readonly MessageNode[], writer: Writer): (FhirJson | null)[] {
  return nodes.map((node) => {
    const written = writer.write(node);
    return Object.keys(written).length === 0 ? null : written;
  });
}
