import { isUtf8 } from "node:buffer";
import { type Fault, fault } from "../../src/errors/index.ts";
import { duplicateElements } from "./duplicate-elements.ts";
import "./number-text.ts";
import type { JsonValue } from "./primitives.ts";

const utf8 = new TextDecoder();

/** What a text holds, or why it is no JSON of ours; the value is there only when nothing is wrong. */
export type ParsedJson =
  | { readonly value: JsonValue; readonly faults: readonly [] }
  | { readonly value: undefined; readonly faults: readonly Fault[] };

/** Objects and arrays in each other: twice what a resource may have, so that the codec names the element. */
const MAX_NESTING = 256;

/**
 * A number that may not read the same after a way through a double: fraction, exponent, many digits, minus
 * zero. A string that looks like one costs time only.
 */
const INEXACT_NUMBER = /(?:^|"\s*:|[,[])\s*(?:-0|-?(?:\d{16}|\d+[.eE]))/;

/** parseJson of the bytes of a body: UTF-8, with or without a byte order mark. */
export function parseJsonBytes(bytes: Uint8Array): ParsedJson {
  return isUtf8(bytes) ? parseJson(utf8.decode(bytes)) : failed(fault("JSON_MALFORMED"));
}

/**
 * JSON with numbers as they were written: one that JavaScript would write differently (1.50, 1e3, 2 to the 64th) is
 * a JSON.rawJSON object of its text. A property named twice is a fault.
 */
export function parseJson(text: string): ParsedJson {
  const plain = plainParse(text);
  if (plain === undefined) return failed(fault("JSON_MALFORMED"));
  const contents = contentsOf(plain.value, MAX_NESTING);
  if (contents === undefined) return failed(fault("NESTING_TOO_DEEP", { limit: String(MAX_NESTING) }));
  if (countPropertyEnds(text) !== contents.properties) {
    const duplicates = duplicateElements(text);
    if (duplicates.length > 0) return { value: undefined, faults: duplicates };
  }
  const isExact = contents.numbers === 0 || !INEXACT_NUMBER.test(text);
  return { value: isExact ? plain.value : readJson(text), faults: [] };
}

/** The value of a text known to be good JSON, with numbers as parseJson keeps them. */
export function readJson(text: string): JsonValue {
  return JSON.parse(text, keepNumberText);
}

/** Whether no more than `limit` objects and arrays lie in each other. */
export function nestsWithin(value: JsonValue, limit: number): boolean {
  return contentsOf(value, limit) !== undefined;
}

/** The text of a JSON value, with numbers as parseJson keeps them. */
export function stringifyJson(value: JsonValue): string {
  return JSON.stringify(value);
}

function plainParse(text: string): { value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function failed(reason: Fault): ParsedJson {
  return { value: undefined, faults: [reason] };
}

function keepNumberText(_key: string, value: unknown, context: { readonly source?: string }): JsonValue {
  if (typeof value !== "number" || context.source === undefined) return value;
  return String(value) === context.source ? value : JSON.rawJSON(context.source);
}

/** What a value holds, however deep. */
interface Contents {
  /** Of all its objects. */
  properties: number;
  numbers: number;
}

/** Undefined when more than `levels` objects and arrays lie in each other. */
function contentsOf(value: JsonValue, levels: number): Contents | undefined {
  const contents: Contents = { properties: 0, numbers: 0 };
  return count(value, levels, contents) ? contents : undefined;
}

/** Adds up; stops with false when the value is too deep. */
function count(value: JsonValue, levels: number, contents: Contents): boolean {
  if (typeof value === "number") contents.numbers += 1;
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => count(item, levels - 1, contents));
  const object = value as Readonly<Record<string, JsonValue>>;
  for (const name in object) {
    contents.properties += 1;
    if (!count(object[name] as JsonValue, levels - 1, contents)) return false;
  }
  return true;
}

/**
 * How often a quotation mark stands before a colon: at least once for every property of the text, and more often
 * only when a property was named twice or a string looks like it, which duplicateElements can tell.
 */
function countPropertyEnds(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(":"); colon !== -1; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    while (before > 0 && isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === QUOTATION_MARK) count += 1;
  }
  return count;
}

const QUOTATION_MARK = 0x22;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
