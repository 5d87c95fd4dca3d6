import { isUtf8 } from "node:buffer";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { fault, MpiError, refuseFor } from "../../src/errors/index.ts";
import { decodeResource, parseJson } from "../fhir/index.ts";
import type { FhirRequest } from "./fhir-request.ts";

/** The resource in the body of a request; refused with everything that is wrong with its structure (MPI-096). */
export function resourceBody<Desc extends DescMessage>(
  request: FhirRequest,
  schema: Desc,
): MessageShape<Desc> {
  const { body } = request;
  if (body === undefined || body.length === 0) throw new MpiError("BODY_MISSING");
  if (!isUtf8(body)) throw new MpiError("JSON_MALFORMED");
  const parsed = parseJson(body.toString("utf8"));
  refuseFor(parsed.faults);
  const { message, faults } = decodeResource(schema, parsed.value);
  refuseFor(faults);
  if (message === undefined) throw MpiError.of([fault("JSON_MALFORMED")]);
  return message;
}
