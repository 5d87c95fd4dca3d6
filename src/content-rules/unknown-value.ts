import { create } from "@bufbuild/protobuf";
import { type Element, ElementSchema } from "#proto/patientindex/v1/datatypes_pb.ts";

const REASON = "http://hl7.org/fhir/StructureDefinition/data-absent-reason";

/** What stands beside a primitive in place of its value when nobody knows that: FHIR allows no empty ones. */
export function unknownValue(): Element {
  return create(ElementSchema, {
    extension: [{ url: REASON, value: { case: "valueCode", value: "unknown" } }],
  });
}
