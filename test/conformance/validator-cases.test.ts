import { expect, test } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { decodeResource, parseJsonBytes, parseXmlBytes } from "../../gateway/fhir/index.ts";
import { badPrimitives } from "./validator/bad-primitives.ts";
import { jsonShapes } from "./validator/json-shapes.ts";
import type { Shape } from "./validator/shape.ts";
import { xmlShapes } from "./validator/xml-shapes.ts";

/** What the structure check finds wrong with a body. */
function faultsOf({ format, body }: Shape): string[] {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const { value, faults } = format === "xml" ? parseXmlBytes(bytes) : parseJsonBytes(bytes);
  const isObservation = (value as { resourceType?: string } | undefined)?.resourceType === "Observation";
  const schema = isObservation ? ObservationSchema : PatientSchema;
  const all = value === undefined ? faults : decodeResource(schema, value).faults;
  return all.map(({ meaning, expression }) => `${meaning} ${expression ?? ""}`);
}

const shapes = [...jsonShapes, ...xmlShapes, ...badPrimitives];

test.each(shapes.filter(({ isValid }) => isValid))("$name.$format is accepted: $about", (shape) => {
  expect(faultsOf(shape)).toEqual([]);
});

test.each(shapes.filter(({ isValid }) => !isValid))("$name.$format is refused: $about", (shape) => {
  expect(faultsOf(shape)).not.toEqual([]);
});
