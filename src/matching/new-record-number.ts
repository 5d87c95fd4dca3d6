import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { type Identifier, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { IDENTIFIER_BASE } from "../identifiers/index.ts";

/** A number for somebody whom nobody knows (spec http-api.md, Patient/$mrn): random, so nobody has it yet. */
export function newRecordNumber(): Identifier {
  return create(IdentifierSchema, { system: `${IDENTIFIER_BASE}/est/mr`, value: randomUUID() });
}
