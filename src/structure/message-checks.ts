import { type DescField, type DescMessage, type DescOneof, getOption, hasOption } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { choice_min, element, resource_type } from "#proto/patientindex/v1/fhir_pb.ts";
import { mostOf } from "./most-elements.ts";
import { type PrimitiveTest, primitiveTests } from "./primitive-rules.ts";

/** What is to be checked in messages of a type. */
export interface MessageChecks {
  readonly isResource: boolean;
  readonly isExtension: boolean;
  readonly elements: readonly ElementCheck[];
  readonly choices: readonly ChoiceCheck[];
}

/** A FHIR element that is no choice. */
export interface ElementCheck {
  readonly field: string;
  readonly repeated: boolean;
  /** How many there may be of a repeated one. */
  readonly most: number;
  readonly required: boolean;
  readonly content: ContentCheck;
}

/** A choice element. */
export interface ChoiceCheck {
  readonly field: string;
  readonly required: boolean;
  readonly byCase: ReadonlyMap<string, ContentCheck>;
  /** Those of the cases that have an id and extensions beside them. */
  readonly primitives: readonly (readonly [name: string, content: ContentCheck])[];
}

export interface ContentCheck {
  /** FHIR type. */
  readonly type: string;
  /** Test of a primitive's value. */
  readonly test: PrimitiveTest | undefined;
  /** Type of the value when it is a message. */
  readonly message: DescMessage | undefined;
  /** Field of a primitive's id and extensions, and the type Element. */
  readonly elementField: string | undefined;
  readonly elementMessage: DescMessage | undefined;
}

/** The checks of a message type, from the options of its descriptor. */
export function checksOf(desc: DescMessage): MessageChecks {
  return {
    isResource: resourceTypeOf(desc) !== undefined,
    isExtension: desc.typeName === ExtensionSchema.typeName,
    elements: desc.fields.filter((field) => field.oneof === undefined && isElement(field)).map(elementCheck),
    choices: desc.oneofs.filter((oneof) => oneof.fields.some(isElement)).map(choiceCheck),
  };
}

const resourceTypes = new WeakMap<DescMessage, { readonly type: string | undefined }>();

/** FHIR type of a resource's message; undefined for a data type. */
export function resourceTypeOf(desc: DescMessage): string | undefined {
  let known = resourceTypes.get(desc);
  if (!known) {
    known = { type: hasOption(desc, resource_type) ? getOption(desc, resource_type) : undefined };
    resourceTypes.set(desc, known);
  }
  return known.type;
}

function isElement(field: DescField): boolean {
  return hasOption(field, element);
}

function elementCheck(field: DescField): ElementCheck {
  return {
    field: field.localName,
    repeated: field.fieldKind === "list",
    most: mostOf(field),
    required: getOption(field, element).min > 0,
    content: contentCheck(field),
  };
}

function choiceCheck(oneof: DescOneof): ChoiceCheck {
  const cases = oneof.fields.map((field) => [field.localName, contentCheck(field)] as const);
  return {
    field: oneof.localName,
    required: getOption(oneof, choice_min) > 0,
    byCase: new Map(cases),
    primitives: cases.filter(([, { elementField }]) => elementField !== undefined),
  };
}

function contentCheck(field: DescField): ContentCheck {
  const { type } = getOption(field, element);
  const own = field.parent.fields.find(({ name }) => name === `${field.name}_element`);
  const instant = field.message?.typeName === TimestampSchema.typeName;
  return {
    type,
    test: instant ? isTimestamp : primitiveTests.get(type),
    message: instant ? undefined : field.message,
    elementField: own?.localName,
    elementMessage: own?.message,
  };
}

/** Years 1 to 9999, as Timestamp and FHIR instants have them. */
export function isTimestamp(value: unknown): boolean {
  const { seconds, nanos } = value as { readonly seconds: bigint; readonly nanos: number };
  return seconds >= -62_135_596_800n && seconds <= 253_402_300_799n && nanos >= 0 && nanos <= 999_999_999;
}
