import { isUtf8 } from "node:buffer";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { fault, MpiError, refuseFor } from "../../src/errors/index.ts";
import { decodeResource, type JsonValue, parseJson } from "../fhir/index.ts";
import type { FhirRequest } from "./fhir-request.ts";

/** The resource in the body of a request; refused with everything that is wrong with its structure (MPI-096). */
export function resourceBody<Desc extends DescMessage>(
  request: FhirRequest,
  schema: Desc,
): MessageShape<Desc> {
  const { message, faults } = decodeResource(schema, jsonBody(request));
  refuseFor(faults);
  if (message === undefined) throw MpiError.of([fault("JSON_MALFORMED")]);
  return message;
}

/** The JSON in the body of a request. */
export function jsonBody({ body }: FhirRequest): JsonValue {
  if (body === undefined || body.length === 0) throw new MpiError("BODY_MISSING");
  if (!isUtf8(body)) throw new MpiError("JSON_MALFORMED");
  const parsed = parseJson(body.toString("utf8"));
  refuseFor(parsed.faults);
  return parsed.value;
}
