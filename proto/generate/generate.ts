import { type ElementDefinition, readDefinition } from "./definitions.ts";
import {
  containedResource,
  dataType,
  type FieldModel,
  isPrimitive,
  type MessageModel,
  resource,
} from "./messages.ts";
import { type FileModel, printFile } from "./print.ts";

const FOLDER = "patientindex/v1";
const OPTIONS = `${FOLDER}/fhir.proto`;
const DATATYPES = `${FOLDER}/datatypes.proto`;
const CONTAINED = `${FOLDER}/contained_resource.proto`;

/** The resources that the index keeps or makes, by file. */
const RESOURCES: Readonly<Record<string, string>> = {
  [`${FOLDER}/audit_event.proto`]: "AuditEvent",
  [`${FOLDER}/observation.proto`]: "Observation",
  [`${FOLDER}/patient.proto`]: "Patient",
  [`${FOLDER}/related_person.proto`]: "RelatedPerson",
};

/** The resources with a message of their own inside others: append only, the place is the field number. */
const CONTAINED_TYPES = ["Organization", "Patient", "RelatedPerson", "Observation"];

/** Number of the JSON text that holds a contained resource of any other type. */
const OTHER_CONTAINED = 100;

/** What an x_element field holds, and no definition names. */
const ALWAYS = ["Element", "Extension"];

/** All generated .proto files: path below proto/ and text. Reads the R5 definitions of hl7.fhir.r5.core. */
export function generateProto(): Map<string, string> {
  const resources = Object.entries(RESOURCES).map(([path, type]) => [path, readDefinition(type)] as const);
  const contained = CONTAINED_TYPES.map(readDefinition);
  const files: [string, FileModel][] = [
    [DATATYPES, dataTypesFile([...resources.map(([, definition]) => definition), ...contained])],
    [CONTAINED, containedFile(contained)],
    ...resources.map(([path, definition]): [string, FileModel] => [path, resourceFile(definition)]),
  ];
  refuseHiddenDataTypes(files.map(([, file]) => file));
  return new Map(files.map(([path, file]) => [path, printFile(file)]));
}

/** The definitions that there are messages of: of the resources, and of the data types that they and extensions are made of. */
export function definitionsWithMessage(): ElementDefinition[] {
  const resources = [...new Set([...Object.values(RESOURCES), ...CONTAINED_TYPES])].map(readDefinition);
  return [...dataTypeDefinitions(resources).values(), ...resources];
}

function dataTypesFile(users: readonly ElementDefinition[]): FileModel {
  const definitions = dataTypeDefinitions(users);
  const names = [...definitions.keys()].sort();
  const messages = names.map((name) => dataType(definitions.get(name) as ElementDefinition));
  return {
    comment: "The data types of FHIR R5: all that an extension can hold, with all that those are made of.",
    imports: ["google/protobuf/timestamp.proto", OPTIONS],
    messages,
  };
}

function dataTypeDefinitions(users: readonly ElementDefinition[]): Map<string, ElementDefinition> {
  const definitions = new Map<string, ElementDefinition>();
  const visit = (type: string): void => {
    if (isPrimitive(type) || definitions.has(type)) return;
    const definition = readDefinition(type);
    definitions.set(type, definition);
    dataTypesOf(definition).forEach(visit);
  };
  [...ALWAYS, ...users.flatMap(dataTypesOf)].forEach(visit);
  return definitions;
}

/** Data types named by the elements below a definition; resources and backbone elements are none. */
function dataTypesOf(definition: ElementDefinition): string[] {
  return definition.children.flatMap((element) =>
    element.children.length > 0 ? dataTypesOf(element) : element.types.filter((type) => type !== "Resource"),
  );
}

/** A nested message of the name of a data type would be taken for it by the fields around. */
function refuseHiddenDataTypes(files: readonly FileModel[]): void {
  const dataTypes = new Set(files[0]?.messages.map((message) => message.name));
  const nested = (message: MessageModel): MessageModel[] =>
    message.nested.flatMap((of) => [of, ...nested(of)]);
  const hiding = files
    .flatMap((file) => file.messages.flatMap(nested))
    .find(({ name }) => dataTypes.has(name));
  if (hiding !== undefined) throw new Error(`the message ${hiding.name} hides the data type of that name`);
}

function resourceFile(definition: ElementDefinition): FileModel {
  return {
    comment: `The FHIR R5 resource ${definition.name}.`,
    imports: [CONTAINED, DATATYPES, OPTIONS],
    messages: [resource(definition)],
  };
}

function containedFile(definitions: readonly ElementDefinition[]): FileModel {
  const fields = definitions.map(
    ({ name }, index): FieldModel => ({
      kind: "field",
      comment: `As ${name}.`,
      label: "",
      type: name,
      name: name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase(),
      number: index + 1,
      rule: { type: name, min: 0 },
    }),
  );
  const other: FieldModel = {
    kind: "field",
    comment: "A resource of any other type: the text of its FHIR JSON, as it was given.",
    label: "",
    type: "string",
    name: "other_json",
    number: OTHER_CONTAINED,
    rule: undefined,
  };
  return {
    comment:
      "Resources inside other resources. They have messages of their own, since protobuf files cannot import each\n" +
      "other in a circle, and since FHIR takes from them what the others have: nothing is contained in them. Fields\n" +
      "have the same numbers as in the resource itself.",
    imports: [DATATYPES, OPTIONS],
    messages: [
      {
        name: "ContainedResource",
        comment: "A resource that is part of another one and has no life of its own.",
        resourceType: undefined,
        members: [
          {
            kind: "oneof",
            comment: "The resource, by its type.",
            name: "resource",
            min: 1,
            fields: [...fields, other],
          },
        ],
        nested: definitions.map(containedResource),
      },
    ],
  };
}
