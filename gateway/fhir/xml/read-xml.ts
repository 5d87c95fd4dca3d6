import { isUtf8 } from "node:buffer";
import type { DescMessage } from "@bufbuild/protobuf";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { type Fault, fault } from "../../../src/errors/index.ts";
import { decodeResource } from "../decode.ts";
import { resourceFhirType } from "../fhir-types.ts";
import type { ParsedJson } from "../json.ts";
import type { JsonValue } from "../primitives.ts";
import { Walk } from "../walk.ts";
import { type Frame, resourceFrame, SKIPPED } from "./frames.ts";
import { nestedFaults } from "./nested-bodies.ts";
import { scanXml, type XmlTag } from "./scan-xml.ts";
import { FHIR_NAMESPACE } from "./xml-text.ts";

const utf8 = new TextDecoder();

/** Resources with a message of their own, whose structure the codec knows. */
const schemas: ReadonlyMap<string, DescMessage> = new Map(
  [PatientSchema, RelatedPersonSchema, ObservationSchema].map((schema) => [schema.name, schema]),
);

/** parseXml of the bytes of a body: UTF-8, with or without a byte order mark. */
export function parseXmlBytes(bytes: Uint8Array): ParsedJson {
  return isUtf8(bytes)
    ? parseXml(utf8.decode(bytes))
    : { value: undefined, faults: [fault("XML_MALFORMED")] };
}

/**
 * The FHIR JSON that says the same as FHIR XML, with numbers as they were written. Checked is what only XML has: that
 * it is well-formed (XML_MALFORMED), names, namespaces, the order of elements and how often they are there. When that
 * is wrong, what the codec finds wrong with the rest comes along, so that all faults are told at once. What is wrong
 * with a resource in an entry of a Bundle or in Parameters is told by faultsOfNested, for it is a body of its own.
 */
export function parseXml(text: string): ParsedJson {
  const reading = new Reading();
  const unreadable = scanXml(text, reading);
  if (unreadable !== undefined) return { value: undefined, faults: [unreadable] };
  const { root, faults } = reading;
  if (faults.length === 0) return { value: root, faults: [] };
  return { value: undefined, faults: [...faults, ...furtherFaults(root, faults)] };
}

/** What is wrong, as XML, with a resource out of a Bundle or Parameters; nothing when these came in JSON. */
export function faultsOfNested(resource: Readonly<Record<string, JsonValue>>): readonly Fault[] {
  const faults = nestedFaults(resource);
  return faults.length === 0 ? [] : [...faults, ...furtherFaults(resource, faults)];
}

/** The document while it is scanned. */
class Reading {
  root: Readonly<Record<string, JsonValue>> = {};
  readonly #frames: Frame[] = [];
  #walk = new Walk("Resource");

  get faults(): readonly Fault[] {
    return this.#walk.faults;
  }

  open(tag: XmlTag): void {
    this.#frames.push(this.#frames.at(-1)?.child(tag) ?? this.#openRoot(tag));
  }

  text(text: string): void {
    this.#frames.at(-1)?.text(text);
  }

  close(): void {
    this.#frames.pop()?.end();
  }

  #openRoot(tag: XmlTag): Frame {
    const type = resourceFhirType(tag.local);
    if (type === undefined) {
      // Whoever wants the body says which type it should be.
      this.root = { resourceType: tag.local };
      return SKIPPED;
    }
    this.#walk = new Walk(type.name);
    if (tag.uri !== FHIR_NAMESPACE) this.#walk.report("NAMESPACE_WRONG", { namespace: FHIR_NAMESPACE });
    const root = { resourceType: type.name };
    this.root = root;
    return resourceFrame(type, tag, root, this.#walk);
  }
}

function furtherFaults(root: Readonly<Record<string, JsonValue>>, known: readonly Fault[]): readonly Fault[] {
  const schema = schemas.get(String(root["resourceType"]));
  if (schema === undefined) return [];
  const told = new Set(known.flatMap(({ expression = [] }) => expression));
  const { faults } = decodeResource(schema, root);
  return faults.filter(({ expression = [] }) => !expression.some((element) => told.has(element)));
}
