import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { BytesValueSchema } from "@bufbuild/protobuf/wkt";
import { type Extension, ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { calls, messageOf } from "../grpc-calls.ts";
import { verified } from "../people.ts";
import { posts, postsText } from "../requests.ts";
import type { Exchange, GrpcRequest, Json, Scenario } from "../scenario.ts";

const invalid = { code: "MPI-096", issueType: "structure" } as const;

/** Bodies that are no resource of R5: by the codec of the gateway, and by the core when a generated client calls it. */
export const structureScenarios: readonly Scenario[] = [
  {
    ...invalid,
    meaning: "BODY_MISSING",
    only: "http",
    issueType: "required",
    prepare: () => ({ http: postsText("Patient", "") }),
  },
  {
    ...invalid,
    meaning: "JSON_MALFORMED",
    only: "http",
    prepare: () => ({ http: postsText("Patient", '{"resourceType": "Patient",}') }),
  },
  {
    ...invalid,
    meaning: "JSON_MALFORMED",
    only: "grpc",
    expression: "Patient.contained[0]",
    prepare: () => ({ grpc: createsMessage({ contained: [otherResource("{")] }) }),
  },
  {
    ...invalid,
    meaning: "MESSAGE_UNDECODABLE",
    only: "grpc",
    prepare() {
      const bytes = { ...PatientService.method.createPatient, input: BytesValueSchema };
      return { grpc: calls(bytes, { value: Uint8Array.of(0xff) }) };
    },
  },
  {
    ...invalid,
    meaning: "RESOURCE_TYPE_WRONG",
    only: "http",
    expression: "Patient",
    prepare: () => ({ http: { ...posts(verified({ resourceType: "Person" })), path: "/Patient" } }),
  },
  {
    ...invalid,
    meaning: "CONTAINED_TYPE_WRONG",
    expression: "Patient.contained[0]",
    prepare: () => ({
      http: posts(verified({ contained: [{ id: "1" }] })),
      grpc: createsMessage({ contained: [otherResource('{"id": "1"}')] }),
    }),
  },
  {
    ...invalid,
    meaning: "NESTING_TOO_DEEP",
    issueType: "too-long",
    // As much of the path as an issue holds.
    expression: `Patient${".extension[0]".repeat(14)}`,
    prepare: () => ({
      http: posts(verified({ extension: [nestedJson(64)] })),
      grpc: createsMessage({ extension: [nestedMessage(64)] }),
    }),
  },
  {
    ...invalid,
    meaning: "ELEMENT_UNKNOWN",
    only: "http",
    expression: "Patient.nickname",
    prepare: () => ({ http: posts(verified({ nickname: "Auni" })) }),
  },
  {
    ...invalid,
    meaning: "ELEMENT_UNKNOWN",
    only: "grpc",
    expression: "Patient",
    prepare: () => ({ grpc: createsMessage(newerPatient()) }),
  },
  {
    ...invalid,
    meaning: "ELEMENT_DUPLICATED",
    only: "http",
    expression: "Patient.gender",
    prepare: () => ({
      http: postsText("Patient", '{"resourceType": "Patient", "gender": "male", "gender": "female"}'),
    }),
  },
  {
    ...invalid,
    meaning: "ELEMENT_TYPE_WRONG",
    only: "http",
    expression: "Patient.name",
    prepare: () => ({ http: posts(verified({ name: { family: "Lehtinen" } })) }),
  },
  {
    ...invalid,
    meaning: "ELEMENT_MISSING",
    issueType: "required",
    expression: "Patient.extension[0].url",
    prepare: () => ({
      http: posts(verified({ extension: [{ valueString: "x" }] })),
      grpc: createsMessage({ extension: [{ value: { case: "valueString", value: "x" } }] }),
    }),
  },
  {
    ...invalid,
    meaning: "ELEMENT_EMPTY",
    expression: "Patient.name[1]",
    prepare: () => ({
      http: posts(verified({ name: [{ text: "Aune" }, {}] })),
      grpc: createsMessage({ name: [{ text: "Aune" }, {}] }),
    }),
  },
  {
    ...invalid,
    meaning: "PRIMITIVE_INVALID",
    issueType: "value",
    expression: "Patient.birthDate",
    prepare: () => refusedAlike({ birthDate: "1967-02-29" }, { birthDate: "1967-02-29" }),
  },
  {
    ...invalid,
    meaning: "CHOICE_AMBIGUOUS",
    expression: "Patient.deceased",
    prepare: () =>
      refusedAlike(
        { deceasedBoolean: true, _deceasedDateTime: { id: "died" } },
        { deceased: { case: "deceasedBoolean", value: true }, deceasedDateTimeElement: { id: "died" } },
      ),
  },
  {
    ...invalid,
    meaning: "EXTENSION_AMBIGUOUS",
    issueType: "invariant",
    expression: "Patient.extension[0]",
    prepare: () =>
      refusedAlike(
        { extension: [{ ...nestedJson(1), extension: [nestedJson(1)] }] },
        { extension: [create(ExtensionSchema, { ...nestedMessage(1), extension: [nestedMessage(1)] })] },
      ),
  },
  {
    ...invalid,
    meaning: "NULL_NOT_ALLOWED",
    expression: "Patient.name[0].given[1]",
    prepare: () => refusedAlike({ name: [{ given: ["Aune", null] }] }, { name: [{ given: ["Aune", ""] }] }),
  },
  {
    ...invalid,
    meaning: "ARRAYS_NOT_PARALLEL",
    expression: "Patient.name[0].given",
    prepare: () =>
      refusedAlike(
        { name: [{ given: ["Aune", "Helena"], _given: [{ id: "first" }] }] },
        { name: [{ given: ["Aune", "Helena"], givenElement: [{ id: "first" }] }] },
      ),
  },
];

type PatientInit = Omit<MessageInitShape<typeof PatientSchema>, "$typeName">;

function refusedAlike(json: Json, message: PatientInit): Exchange {
  return { http: posts(verified(json)), grpc: createsMessage(message) };
}

function createsMessage(changes: PatientInit): GrpcRequest {
  const patient = { ...messageOf(PatientSchema, verified()), ...create(PatientSchema, changes) };
  return calls(PatientService.method.createPatient, { patient });
}

function otherResource(otherJson: string) {
  return { resource: { case: "otherJson", value: otherJson } } as const;
}

/** So many extensions in each other. */
function nestedJson(depth: number): Json {
  const url = "http://example.org/box";
  return depth === 1 ? { url, valueBoolean: true } : { url, extension: [nestedJson(depth - 1)] };
}

function nestedMessage(depth: number): Extension {
  const url = "http://example.org/box";
  if (depth > 1) return create(ExtensionSchema, { url, extension: [nestedMessage(depth - 1)] });
  return create(ExtensionSchema, { url, value: { case: "valueBoolean", value: true } });
}

/** A patient with a field that a newer version of the contract may have. */
function newerPatient(): Patient {
  const tagOfField199 = [0xba, 0x0c];
  const bytes = [...toBinary(PatientSchema, messageOf(PatientSchema, verified())), ...tagOfField199, 1, 0x78];
  return fromBinary(PatientSchema, new Uint8Array(bytes));
}
