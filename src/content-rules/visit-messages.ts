import { createRegistry, type Message } from "@bufbuild/protobuf";
import { file_patientindex_v1_contained_resource } from "#proto/patientindex/v1/contained_resource_pb.ts";
import { file_patientindex_v1_datatypes } from "#proto/patientindex/v1/datatypes_pb.ts";
import { file_patientindex_v1_observation } from "#proto/patientindex/v1/observation_pb.ts";
import { file_patientindex_v1_patient } from "#proto/patientindex/v1/patient_pb.ts";
import { file_patientindex_v1_related_person } from "#proto/patientindex/v1/related_person_pb.ts";
import { visitingMessages } from "../structure/index.ts";

type Shown = (message: Message, path: string) => void;

/** Shows each message that there is in a message, itself included, with its FHIRPath. */
export function visitMessages(message: Message, path: string, shown: Shown): void {
  shown(message, path);
  const isFrame = message.$typeName === "patientindex.v1.ContainedResource";
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === "object" && value !== null) visit(value, isFrame ? path : `${path}.${name}`, shown);
  }
}

function visit(value: object, path: string, shown: Shown): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      if (typeof item === "object" && item !== null) visit(item, itemPath(item, path, index), shown);
    });
  } else if (isMessage(value)) {
    visitMessages(value, isElement(value) ? withoutSuffix(path) : path, shown);
  } else if ("case" in value && "value" in value && isMessage(value.value)) {
    visit(value.value, path, shown);
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

/** The elements of such a path, without the resource type and the indices: rules hold for every repetition of an element. */
export function belowResource(path: string): string {
  return path.slice(path.indexOf(".") + 1).replace(/\[\d+\]/g, "");
}

const schemas = createRegistry(
  file_patientindex_v1_patient,
  file_patientindex_v1_related_person,
  file_patientindex_v1_observation,
  file_patientindex_v1_contained_resource,
  file_patientindex_v1_datatypes,
);
const visitAll = visitingMessages(() => true);

/** Whether any message in a message is such a one, itself included; without their paths, and so many times faster. */
export function anyMessage(message: Message, isSuch: (message: Message) => boolean): boolean {
  const schema = schemas.getMessage(message.$typeName);
  if (!schema) throw new TypeError(`${message.$typeName} is no message of a resource`);
  let isAny = false;
  visitAll(schema, message, (one) => {
    isAny ||= isSuch(one);
  });
  return isAny;
}
