/**
 * What an official case of HL7's validator is about, as a resource of our types written anew: List, Group, Location and
 * Parameters of theirs are Patients here, with other names and values.
 */
export interface Shape {
  /** Name of the case in validator/manifest.json of FHIR/fhir-test-cases. */
  readonly name: string;
  readonly format: "json" | "xml";
  /** What is special about it. */
  readonly about: string;
  readonly isValid: boolean;
  /** The body of a request. */
  readonly body: string | Uint8Array;
}

/** A case that is not run. */
export interface LeftOut {
  readonly cases: string;
  readonly reason: string;
}

const person = '"name":[{"use":"official","family":"Kask","given":["Mari"]}]';

/** JSON of a Patient with these properties beside a name. */
export function patientJson(properties = '"active":true'): string {
  return `{"resourceType":"Patient",${person},${properties}}`;
}

/** JSON of an Observation with these properties beside status and code. */
export function observationJson(properties: string): string {
  return `{"resourceType":"Observation","status":"final","code":{"text":"Length"},${properties}}`;
}

/** XML of a Patient with these elements; attributes and a prologue may be given. */
export function patientXml(elements = '<active value="true"/>', prologue = ""): string {
  return `${prologue}<Patient xmlns="http://hl7.org/fhir">${elements}</Patient>`;
}

export function observationXml(elements: string): string {
  const start = '<status value="final"/><code><text value="Length"/></code>';
  return `<Observation xmlns="http://hl7.org/fhir">${start}${elements}</Observation>`;
}
