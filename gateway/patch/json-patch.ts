import { isDeepStrictEqual } from "node:util";
import { MpiError } from "../../src/errors/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "../fhir/index.ts";
import { indexOf, type JsonPointer, type Place, parsePointer, placeOf, valueAt } from "./json-pointer.ts";
import { knownOperations } from "./known-operations.ts";

/** An operation of a JSON Patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly kind: Kind;
  readonly path: JsonPointer;
  /** Of move and copy. */
  readonly from: JsonPointer;
  /** Of add, replace and test. */
  readonly value: JsonValue;
}

type Kind = "add" | "remove" | "replace" | "move" | "copy" | "test";

const withValue: ReadonlySet<JsonValue> = new Set(["add", "replace", "test"]);
const withFrom: ReadonlySet<JsonValue> = new Set(["move", "copy"]);
const known: ReadonlySet<JsonValue> = new Set([...withValue, ...withFrom, "remove"]);

/** Copies of copies grow without end: no more than this is copied for one patch, in characters of JSON. */
const MOST_COPIED = 4 * 1024 * 1024;

/** The operations of a patch document; refused with all those that are none (PATCH_MALFORMED). */
export function readJsonPatch(json: JsonValue): JsonPatchOperation[] {
  if (!Array.isArray(json)) {
    throw new MpiError("PATCH_MALFORMED", { number: "1" }, { expression: ["http.body"] });
  }
  return knownOperations(json.map(readOperation), expressionOf);
}

/**
 * The document with all operations done in their order; `document` itself is not changed. One that cannot be done,
 * or a test that fails, refuses the patch as a whole (PATCH_NOT_APPLICABLE).
 */
export function applyJsonPatch(document: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  const root = { document: copyOf(document), copied: 0 };
  for (const [index, operation] of operations.entries()) {
    if (apply(root, operation)) continue;
    const path = operation.path.map((step) => `/${step}`).join("");
    const parameters = { number: String(index + 1), path: path || "/" };
    throw new MpiError("PATCH_NOT_APPLICABLE", parameters, { expression: [expressionOf(index)] });
  }
  return root.document;
}

function readOperation(json: JsonValue): JsonPatchOperation | undefined {
  const given = isJsonObject(json) ? json : {};
  const kind = given["op"];
  const path = parsePointer(given["path"]);
  const from = parsePointer(given["from"]);
  const lacksValue = withValue.has(kind) && given["value"] === undefined;
  const lacksFrom = withFrom.has(kind) && from === undefined;
  if (!known.has(kind) || path === undefined || lacksValue || lacksFrom) return undefined;
  return { kind: kind as Kind, path, from: from ?? [], value: given["value"] };
}

/** A patch is no resource: its operations are named by their places in the body. */
function expressionOf(index: number): string {
  return `http.body[${index}]`;
}

interface Root {
  document: JsonValue;
  copied: number;
}

/** Whether the operation could be done. */
function apply(root: Root, { kind, path, from, value }: JsonPatchOperation): boolean {
  const target = placeIn(root, path);
  if (target === undefined) return false;
  switch (kind) {
    case "add":
      return insert(target, copyOf(value));
    case "remove":
      return take(target) !== undefined;
    case "replace":
      return valueAt(target) !== undefined && set(target, copyOf(value));
    case "test":
      return isDeepStrictEqual(plain(valueAt(target)), plain(value));
    case "copy":
      return transfer(root, from, path, (source) => duplicate(root, valueAt(source)));
    case "move":
      return !isWithin(path, from) && transfer(root, from, path, take);
  }
}

/** The target is looked up when the source is gone, which may have moved it. */
function transfer(
  root: Root,
  from: JsonPointer,
  path: JsonPointer,
  get: (source: Place) => JsonValue,
): boolean {
  const source = placeIn(root, from);
  if (source === undefined || valueAt(source) === undefined) return false;
  const value = get(source);
  const target = placeIn(root, path);
  return value !== undefined && target !== undefined && insert(target, value);
}

function duplicate(root: Root, value: JsonValue): JsonValue {
  root.copied += stringifyJson(value).length;
  return root.copied > MOST_COPIED ? undefined : copyOf(value);
}

/** A move into itself would have nowhere to go. */
function isWithin(path: JsonPointer, from: JsonPointer): boolean {
  return path.length > from.length && from.every((step, at) => path[at] === step);
}

function placeIn(root: Root, pointer: JsonPointer): Place | undefined {
  return placeOf(root, ["document", ...pointer]);
}

function insert({ container, step }: Place, value: JsonValue): boolean {
  if (!Array.isArray(container)) return set({ container, step }, value);
  const index = indexOf(container, step);
  if (index === undefined) return false;
  container.splice(index, 0, value);
  return true;
}

function take({ container, step }: Place): JsonValue {
  const value = valueAt({ container, step });
  if (Array.isArray(container)) container.splice(Number(step), value === undefined ? 0 : 1);
  else delete container[step];
  return value;
}

function set({ container, step }: Place, value: JsonValue): boolean {
  // Assigning __proto__ would not make a property of that name.
  Object.defineProperty(container, step, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

/** A copy in which numbers keep their texts. */
function copyOf(value: JsonValue): JsonValue {
  return value === undefined ? undefined : parseJson(stringifyJson(value)).value;
}

/** Numbers are equal by their value, 1.50 and 1.5 too. */
function plain(value: JsonValue): JsonValue {
  return value === undefined ? undefined : JSON.parse(stringifyJson(value));
}
