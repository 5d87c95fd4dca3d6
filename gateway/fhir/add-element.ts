import type { FhirElement } from "./fhir-types.ts";
import type { JsonValue } from "./primitives.ts";
import type { FhirJson } from "./writer.ts";

/** Puts an occurrence of an element into an object of FHIR JSON, after those that are there. */
export function addElement(json: FhirJson, { jsonName, repeated }: FhirElement, value: JsonValue): void {
  if (!repeated) json[jsonName] = value;
  else if (Array.isArray(json[jsonName])) json[jsonName].push(value);
  else json[jsonName] = [value];
}

/**
 * The same of a primitive, with its id and extensions. One with neither those nor a value is kept as such: that it is
 * empty is for the codec to say.
 */
export function addPrimitive(
  json: FhirJson,
  element: FhirElement,
  value: JsonValue,
  extended: FhirJson,
): void {
  const { jsonName, repeated } = element;
  const isExtended = value === undefined || Object.keys(extended).length > 0;
  if (!repeated) {
    if (value !== undefined) json[jsonName] = value;
    if (isExtended) json[`_${jsonName}`] = extended;
    return;
  }
  addElement(json, element, value ?? null);
  const before = (json[jsonName] as JsonValue[]).length - 1;
  const beside = json[`_${jsonName}`] as JsonValue[] | undefined;
  if (beside !== undefined) beside.push(isExtended ? extended : null);
  else if (isExtended) json[`_${jsonName}`] = [...Array<null>(before).fill(null), extended];
}
