import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { MpiError, refuseFor } from "../../src/errors/index.ts";
import {
  decodeResource,
  faultsOfNested,
  isJsonObject,
  type JsonValue,
  parseJsonBytes,
  parseXmlBytes,
} from "../fhir/index.ts";
import type { FhirRequest } from "./fhir-request.ts";
import { isXmlType } from "./media-types.ts";

/**
 * The JSON in the body of a request, or the FHIR JSON that says the same as its XML (MPI-096 when there is none, MPI-007
 * when XML cannot be parsed).
 */
export function jsonBody({ body, headers, resource }: FhirRequest): JsonValue {
  if (resource !== undefined) {
    refuseFor(faultsOfNested(resource));
    return resource;
  }
  if (body === undefined || body.length === 0) throw new MpiError("BODY_MISSING");
  const parsed = isXmlType(headers["content-type"]) ? parseXmlBytes(body) : parseJsonBytes(body);
  refuseFor(parsed.faults);
  return parsed.value;
}

/** A resource out of its JSON; refused with everything that is wrong with its structure (MPI-096). */
export function resourceOf<Desc extends DescMessage>(schema: Desc, json: JsonValue): MessageShape<Desc> {
  if (isJsonObject(json)) refuseFor(faultsOfNested(json));
  const { message, faults } = decodeResource(schema, json);
  refuseFor(faults);
  if (message === undefined) throw new TypeError("A resource was refused without a fault");
  return message;
}
