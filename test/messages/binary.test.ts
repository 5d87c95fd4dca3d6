import { globSync } from "node:fs";
import { join } from "node:path";
import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_wrappers,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HealthListResponseSchema } from "#proto/grpc/health/v1/health_pb.ts";
import { type Extension, ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { readMessage, writeMessage } from "../../src/messages/index.ts";
import { anyMessage } from "./any-message.ts";

const generated = join(import.meta.dirname, "../../proto/gen/patientindex");

async function schemasOfContract(): Promise<DescMessage[]> {
  const modules = await Promise.all(
    globSync("**/*_pb.ts", { cwd: generated }).map((file) => import(join(generated, file))),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isSchema);
}

function isSchema(one: unknown): one is DescMessage {
  return typeof one === "object" && one !== null && "kind" in one && one.kind === "message";
}

const schemas = await schemasOfContract();
const anyOfContract = fc
  .constantFrom(...schemas)
  .chain((schema) => anyMessage(schema).map((message) => ({ schema, message })));

/** What a message is after a way through bytes by protobuf-es alone, that of its unknown fields included; "refused" when it throws. */
function outcome(schema: DescMessage, read: () => Message): Uint8Array | "refused" {
  try {
    return toBinary(schema, read());
  } catch {
    return "refused";
  }
}

function expectAlike(schema: DescMessage, bytes: Uint8Array): void {
  const theirs = outcome(schema, () => fromBinary(schema, bytes));
  expect(outcome(schema, () => readMessage(schema, bytes))).toEqual(theirs);
}

describe("messages of the contract", () => {
  it("are many", () => {
    expect(schemas.length).toBeGreaterThan(100);
  });

  it("have the bytes that protobuf-es writes", () => {
    fc.assert(
      fc.property(anyOfContract, ({ schema, message }) => {
        expect(writeMessage(schema, message)).toEqual(toBinary(schema, message));
      }),
    );
  });

  it("are read as protobuf-es reads them, in two parts too", () => {
    fc.assert(
      fc.property(anyOfContract, fc.boolean(), ({ schema, message }, isTwice) => {
        const bytes = toBinary(schema, message);
        expectAlike(schema, isTwice ? Buffer.concat([bytes, bytes]) : bytes);
      }),
    );
  });

  it("are read or refused as by protobuf-es where bytes are cut off, changed, or those of another type", () => {
    fc.assert(
      fc.property(
        anyOfContract,
        fc.constantFrom(...schemas),
        fc.nat(),
        fc.nat({ max: 255 }),
        ({ schema, message }, other, place, byte) => {
          const bytes = toBinary(schema, message);
          const at = place % (bytes.length + 1);
          expectAlike(schema, bytes.subarray(0, at));
          if (at < bytes.length) expectAlike(schema, bytes.with(at, byte));
          expectAlike(other, bytes);
        },
      ),
    );
  });

  it("are refused where more than a hundred lie in each other", () => {
    const nested = (levels: number): Uint8Array =>
      toBinary(
        ExtensionSchema,
        Array.from({ length: levels - 1 }).reduce<Extension>(
          (inner) => create(ExtensionSchema, { extension: [inner] }),
          create(ExtensionSchema, { url: "urn:x" }),
        ),
      );
    for (const levels of [99, 100, 101]) expectAlike(ExtensionSchema, nested(levels));
    expect(() => readMessage(ExtensionSchema, nested(101))).toThrow("lie in each other");
  });
});

describe("a type that compiled code would read and write wrongly", () => {
  const wrapped: MessageInitShape<typeof FileDescriptorProtoSchema> = {
    name: "wrapped.proto",
    syntax: "proto3",
    dependency: ["google/protobuf/wrappers.proto"],
    messageType: [
      {
        name: "Wrapped",
        field: [{ name: "text", number: 1, type: 11, label: 1, typeName: ".google.protobuf.StringValue" }],
      },
      { name: "Around", field: [{ name: "inner", number: 1, type: 11, label: 1, typeName: ".Wrapped" }] },
    ],
  };
  const registry = createFileRegistry(
    create(FileDescriptorProtoSchema, wrapped),
    () => file_google_protobuf_wrappers.proto,
  );

  it.each<[DescMessage | undefined, string]>([
    [HealthListResponseSchema, "grpc.health.v1.HealthListResponse.statuses"],
    [ValueSchema, "google.protobuf.Value.struct_value"],
    [registry.getMessage("Wrapped"), "Wrapped.text"],
    [registry.getMessage("Around"), "Wrapped.text"],
  ])("is refused with the field that makes it one (%#)", (schema, field) => {
    if (!schema) throw new Error("There is no such type.");
    expect(() => writeMessage(schema, create(schema))).toThrow(`${field} cannot be read and written`);
    expect(() => readMessage(schema, Uint8Array.of(0x0a, 0))).toThrow(`${field} cannot be read and written`);
  });
});
