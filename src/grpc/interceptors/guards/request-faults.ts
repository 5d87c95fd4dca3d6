import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type Fault, fault } from "../../../errors/index.ts";
import { isTimestamp } from "../../../structure/index.ts";

/** Checks a field of a request, whatever the request asks for; undefined when it is sound. */
type FieldCheck = (request: Readonly<Record<string, unknown>>) => Fault | undefined;

const known = new WeakMap<DescMessage, readonly FieldCheck[]>();

/**
 * What is wrong with the fields of a request itself: an id (a text `id` or `…_id`) names something and is never empty,
 * and a Timestamp is one. Resources in it are held to the rules of FHIR.
 */
export function requestFaults(type: DescMessage, request: Message): Fault[] {
  const fields = request as unknown as Readonly<Record<string, unknown>>;
  return checksOf(type).flatMap((check) => check(fields) ?? []);
}

/** Compiled once for a type: most requests have one field to look at. */
function checksOf(type: DescMessage): readonly FieldCheck[] {
  const found = known.get(type);
  if (found) return found;
  const checks = type.fields.flatMap((field) => checkOf(field) ?? []);
  known.set(type, checks);
  return checks;
}

function checkOf(field: DescField): FieldCheck | undefined {
  const { name, localName } = field;
  if (field.scalar === ScalarType.STRING && field.fieldKind === "scalar" && /(?:^|_)id$/.test(name)) {
    return (request) => (request[localName] === "" ? named("PARAMETER_REQUIRED", name) : undefined);
  }
  if (field.fieldKind === "message" && field.message.typeName === TimestampSchema.typeName) {
    return (request) => {
      const value = request[localName] as Timestamp | undefined;
      return value && !isTimestamp(value) ? named("PARAMETER_MALFORMED", name) : undefined;
    };
  }
  return undefined;
}

function named(meaning: "PARAMETER_REQUIRED" | "PARAMETER_MALFORMED", param: string): Fault {
  return fault(meaning, { param }, { expression: [param] });
}
