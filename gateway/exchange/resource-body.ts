import { isUtf8 } from "node:buffer";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { MpiError, refuseFor } from "../../src/errors/index.ts";
import { decodeResource, type JsonValue, parseJson } from "../fhir/index.ts";
import type { FhirRequest } from "./fhir-request.ts";

/** The JSON in the body of a request (MPI-096 when there is none). */
export function jsonBody({ body }: FhirRequest): JsonValue {
  if (body === undefined || body.length === 0) throw new MpiError("BODY_MISSING");
  if (!isUtf8(body)) throw new MpiError("JSON_MALFORMED");
  const parsed = parseJson(body.toString("utf8"));
  refuseFor(parsed.faults);
  return parsed.value;
}

/** A resource out of its JSON; refused with everything that is wrong with its structure (MPI-096). */
export function resourceOf<Desc extends DescMessage>(schema: Desc, json: JsonValue): MessageShape<Desc> {
  const { message, faults } = decodeResource(schema, json);
  refuseFor(faults);
  if (message === undefined) throw new TypeError("A resource was refused without a fault");
  return message;
}
