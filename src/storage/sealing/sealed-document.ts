import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { MpiError } from "../../errors/index.ts";
import {
  type Binding,
  type Blinding,
  blind,
  type IndexKey,
  type IndexKeys,
  type SealedValue,
  seal,
  unseal,
  visitIdentifiers,
} from "../../identifier-index/index.ts";
import { parseIdentifierSystem } from "../../identifiers/index.ts";
import { readMessage, writeMessage } from "../../messages/index.ts";
import { instantSpan } from "../../time/fhir-date.ts";

/** So few are found sooner by looking at each. */
const FEW_VALUES = 16;

/** Whose values a document holds: the patient that the rows lie with, and the resource that owns them. */
export interface Holder {
  readonly patientId: bigint;
  readonly owner: bigint;
}

/** A row of identifier_value, but for when the identifier ends. */
export interface ValueRow extends Binding, SealedValue {
  readonly valueHmac: Uint8Array<ArrayBuffer>;
}

/** A row of identifier_value. */
export interface SealedRow extends ValueRow {
  readonly periodEnd: Date | null;
}

/** A row of identifier_value as far as a read needs it. */
export interface StoredValue extends SealedValue {
  readonly n: number;
}

/** Numbers of the sealed rows that a resource has already, by `valueKey`. */
export type KnownValues = ReadonlyMap<string, number>;

export interface SealedDocument {
  readonly document: Uint8Array<ArrayBuffer>;
  /** Rows for the values that were not known yet. */
  readonly added: SealedRow[];
}

/** The same value under another system is another identifier, with a row of its own. */
export function valueKey(identifier: Identifier): string {
  return `${identifier.system ?? ""} ${identifier.value ?? ""}`;
}

/**
 * Turns a resource into what may be stored: its bytes, each identifier value replaced by the number of its sealed
 * row. A known value keeps its row, so that older versions go on finding theirs.
 */
export function sealDocument<Schema extends DescMessage>(
  key: IndexKey,
  schema: Schema,
  resource: MessageShape<Schema>,
  holder: Holder,
  known: KnownValues,
  firstFree: number,
  blinding: Blinding = blind,
): SealedDocument {
  const added: SealedRow[] = [];
  const places = new PlacesOfValues();
  const numberOf = (identifier: Identifier, value: string): number => {
    const before = known.size === 0 ? undefined : known.get(valueKey(identifier));
    if (before !== undefined) return before;
    const { place, isNew } = places.of(identifier);
    const n = firstFree + place;
    if (isNew)
      added.push(sealRow(key, { ...holder, n, ...systemOf(identifier) }, identifier, value, blinding));
    return n;
  };
  return { document: withNumbers(schema, resource, numberOf), added };
}

/**
 * Gives each value that it meets for the first time the next place, from 0. The first few are looked through: a Map takes each
 * new text into V8's table of texts, which costs more.
 */
class PlacesOfValues {
  readonly #few: { readonly system: string | undefined; readonly value: string | undefined }[] = [];
  readonly #others = new Map<string, number>();

  of(identifier: Identifier): { readonly place: number; readonly isNew: boolean } {
    const { system, value } = identifier;
    const few = this.#few.findIndex((one) => one.value === value && one.system === system);
    if (few >= 0) return { place: few, isNew: false };
    if (this.#few.length < FEW_VALUES) return { place: this.#few.push({ system, value }) - 1, isNew: true };
    const key = valueKey(identifier);
    const before = this.#others.get(key);
    if (before !== undefined) return { place: before, isNew: false };
    const place = FEW_VALUES + this.#others.size;
    this.#others.set(key, place);
    return { place, isNew: true };
  }
}

/** The bytes of a resource with numbers for its identifier values, which are put back: a copy would cost more. */
function withNumbers<Schema extends DescMessage>(
  schema: Schema,
  resource: MessageShape<Schema>,
  numberOf: (identifier: Identifier, value: string) => number,
): Uint8Array<ArrayBuffer> {
  const values = new Map<Identifier, string>();
  try {
    visitIdentifiers(schema, resource, (identifier) => {
      const { value } = identifier;
      // The same object may stand in several places.
      if (value === undefined || values.has(identifier)) return;
      const n = numberOf(identifier, value);
      values.set(identifier, value);
      identifier.value = String(n);
    });
    return writeMessage(schema, resource);
  } finally {
    for (const [identifier, value] of values) identifier.value = value;
  }
}

/** The resource of stored bytes, its identifier values opened and put back; throws when one does not open. */
export function unsealDocument<Schema extends DescMessage>(
  keys: IndexKeys,
  schema: Schema,
  document: Uint8Array,
  holder: Holder,
  values: readonly StoredValue[],
): MessageShape<Schema> {
  const resource = readMessage(schema, document);
  const sealedUnder = byNumber(values);
  visitIdentifiers(schema, resource, (identifier) => {
    if (identifier.value === undefined) return;
    const n = Number(identifier.value);
    const sealed = sealedUnder(n);
    if (!sealed) throw new MpiError("INDEX_DECRYPTION_FAILED");
    identifier.value = unseal(keys, { ...holder, n, ...systemOf(identifier) }, sealed);
  });
  return resource;
}

function byNumber(values: readonly StoredValue[]): (n: number) => StoredValue | undefined {
  if (values.length <= FEW_VALUES) return (n) => values.find((value) => value.n === n);
  const sealedUnder = new Map(values.map((value) => [value.n, value]));
  return (n) => sealedUnder.get(n);
}

/** The numbers under which a stored document and its opened form know the same values. */
export function knownValues<Schema extends DescMessage>(
  schema: Schema,
  document: Uint8Array,
  opened: MessageShape<Schema>,
): KnownValues {
  const numbers: number[] = [];
  visitIdentifiers(schema, readMessage(schema, document), ({ value }) => {
    if (value !== undefined) numbers.push(Number(value));
  });
  const known = new Map<string, number>();
  let position = 0;
  visitIdentifiers(schema, opened, (identifier) => {
    const n = identifier.value === undefined ? undefined : numbers[position++];
    if (n !== undefined) known.set(valueKey(identifier), n);
  });
  return known;
}

/** Last instant at which an identifier holds, as the tables keep it. */
export function periodEnd(identifier: Identifier): Date | null {
  const end = identifier.period?.end;
  return (end && instantSpan(end)?.to) || null;
}

function sealRow(
  key: IndexKey,
  binding: Binding,
  identifier: Identifier,
  value: string,
  blinding: Blinding,
): SealedRow {
  return {
    ...binding,
    ...seal(key, binding, value),
    valueHmac: blinding(key, value),
    periodEnd: periodEnd(identifier),
  };
}

function systemOf(identifier: Identifier): { country: string | null; type: string | null } {
  const system = parseIdentifierSystem(identifier.system ?? "");
  return { country: system?.country ?? null, type: system?.type ?? null };
}
