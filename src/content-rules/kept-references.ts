import type { Message } from "@bufbuild/protobuf";
import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { Report } from "./report.ts";

/** A resource that others can lie in. */
type Container = Message & Pick<Patient, "contained">;
const REFERENCE = "patientindex.v1.Reference" satisfies Reference["$typeName"];

type Found = (reference: string, path: string) => void;

/** A search instead of an address, such as Patient?identifier=…: only a transaction puts an address in its place. */
const SEARCH = /(?:^|\/)[A-Z][A-Za-z]+\?/;

/** Whether anything in a message refers to a contained resource or by a search: most do not, and need no look at where. */
export function hasDoubtfulReference(message: object): boolean {
  if (Array.isArray(message)) return message.some((item) => isObject(item) && hasDoubtfulReference(item));
  for (const name in message) {
    const value = (message as Readonly<Record<string, unknown>>)[name];
    if (isObject(value) && hasDoubtfulReference(value)) return true;
  }
  return (
    isMessage(message) && message.$typeName === REFERENCE && isDoubtful((message as Reference).reference)
  );
}

function isDoubtful(reference: string | undefined): boolean {
  return isInside(reference) || isSearch(reference);
}

function isInside(reference: string | undefined): boolean {
  return reference?.startsWith("#") ?? false;
}

function isSearch(reference: string | undefined): boolean {
  return reference !== undefined && SEARCH.test(reference);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}

/**
 * Refuses what refers to a contained resource that is not in what is to be stored, or by a search (MPI-096): that leads
 * nowhere, and would keep the identifier that it searches by in clear.
 */
export function checkKeptReferences(stored: Container, root: string, report: Report): void {
  if (!hasDoubtfulReference(stored)) return;
  const kept = new Set(
    stored.contained.map(({ resource }) =>
      typeof resource.value === "object" ? `#${resource.value.id}` : undefined,
    ),
  );
  visitMessage(stored, root, (reference, element) => {
    const isLost = isInside(reference) && reference !== "#" && !kept.has(reference);
    if (isLost || isSearch(reference)) report("REFERENCE_INVALID", { element }, element);
  });
}

function visitMessage(message: Message, path: string, found: Found): void {
  if (message.$typeName === REFERENCE) {
    const { reference } = message as Reference;
    if (reference !== undefined) found(reference, path);
  }
  const isFrame = message.$typeName === "patientindex.v1.ContainedResource";
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === "object" && value !== null) visit(value, isFrame ? path : `${path}.${name}`, found);
  }
}

function visit(value: object, path: string, found: Found): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      if (typeof item === "object" && item !== null) visit(item, itemPath(item, path, index), found);
    });
  } else if (isMessage(value)) {
    visitMessage(value, isElement(value) ? withoutSuffix(path) : path, found);
  } else if ("case" in value && "value" in value && isMessage(value.value)) {
    visit(value.value, path, found);
  }
}

function itemPath(item: object, path: string, index: number): string {
  return `${isElement(item) ? withoutSuffix(path) : path}[${index}]`;
}

function isMessage(value: unknown): value is Message {
  return (
    typeof value === "object" && value !== null && "$typeName" in value && typeof value.$typeName === "string"
  );
}

/** The id and extensions of a primitive: birthDateElement has the path of birthDate. */
function isElement(value: object): boolean {
  return isMessage(value) && value.$typeName === "patientindex.v1.Element";
}

function withoutSuffix(path: string): string {
  return path.replace(/Element$/, "");
}
