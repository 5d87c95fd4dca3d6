import { structureDefinitions } from "../../../gateway/definitions/index.ts";
import type { ElementDefinition } from "../../../gateway/definitions/structure-definition.ts";

// A test builds its bodies freely: any JSON object.
export type Json = Record<string, unknown>;

/** A body that a definition says is refused, with the reason as a name for the case. */
export interface Case {
  readonly name: string;
  readonly body: Json;
}

/** What is put where a profile allows nothing, or where an element is accepted and not stored. */
const samples: Readonly<Record<string, unknown>> = {
  telecom: [{ system: "phone", value: "+3726123456" }],
  address: [{ use: "home", country: "FI", text: "Tie 1" }],
  communication: [{ language: { coding: [{ system: "urn:ietf:bcp:47", code: "et" }] } }],
  family: "Tamm",
  given: ["Mari"],
  "multipleBirth[x]": ["multipleBirthBoolean", true],
  photo: [{ url: "http://example.org/photo" }],
  performer: [{ reference: "RelatedPerson/1" }],
  dataAbsentReason: { text: "unknown" },
  component: [{ code: { text: "part" } }],
  text: { status: "generated", div: '<div xmlns="http://www.w3.org/1999/xhtml">text</div>' },
  contained: [{ resourceType: "Organization", id: "a" }],
  maritalStatus: { text: "married" },
  contact: [{ gender: "female" }],
  generalPractitioner: [{ reference: "Practitioner/1" }],
  managingOrganization: { reference: "Organization/1" },
  link: [{ other: { reference: "Patient/1" }, type: "seealso" }],
};
const otherTypes: Readonly<Record<string, readonly [string, unknown]>> = {
  "multipleBirth[x]": ["multipleBirthBoolean", true],
  "deceased[x]": ["deceasedBoolean", true],
  "value[x]": ["valueString", "M"],
};

/** The elements of a definition of ours and of those that it is derived from, the general ones first. */
export function elementsOf(id: string): readonly ElementDefinition[] {
  const definition = structureDefinitions.get(id);
  if (!definition) return [];
  const base = elementsOf(definition.baseDefinition.slice(definition.baseDefinition.lastIndexOf("/") + 1));
  return [...base, ...definition.differential.element];
}

/** Bodies that differ from a valid one by what cardinalities, types and patterns forbid. */
export function invalidCases(id: string, valid: Json): Case[] {
  return elementsOf(id).flatMap((element) => casesOf(element, valid));
}

/** Bodies that differ from a valid one by an element less that no definition requires. */
export function optionalCases(id: string, valid: Json): Case[] {
  const required = elementsOf(id).flatMap(({ path, min = 0 }) => {
    const [, name = "", ...below] = path.split(".");
    return min > 0 && below.length === 0 ? [name] : [];
  });
  return Object.keys(valid)
    .filter((name) => name !== "resourceType" && !required.some((one) => isNamed(name, one)))
    .map((name) => ({ name: `without ${name}`, body: changed(valid, (body) => delete body[name]) }));
}

/** Bodies with an element more that is accepted and not stored. */
export function droppedCases(id: string, valid: Json): (Case & { readonly element: string })[] {
  return elementsOf(id)
    .filter(({ short }) => short === "Accepted and not stored.")
    .map(({ path }) => {
      const element = lastOf(path);
      return { name: path, element, body: changed(valid, (body) => put(body, element)) };
    });
}

export function changed(valid: Json, change: (body: Json) => unknown): Json {
  const body = structuredClone(valid);
  change(body);
  return body;
}

function casesOf(element: ElementDefinition, valid: Json): Case[] {
  const { id, min = 0, max, type, patternCode, patternCodeableConcept } = element;
  if (!id.includes(".") || holdersOf(valid, id).length === 0) return [];
  const name = lastOf(id);
  const make = (what: string, change: (holder: Json) => void): Case => ({
    name: `${id}: ${what}`,
    body: changed(valid, (body) => holdersOf(body, id).slice(0, 1).forEach(change)),
  });
  const isThere = holdersOf(valid, id)[0]?.[name] !== undefined;
  return [
    ...(min > 0 ? [make("missing", (holder) => remove(holder, name))] : []),
    ...(max === "0" ? [make("not allowed", (holder) => put(holder, name))] : []),
    ...(max === "1" && isThere ? [make("twice", (holder) => repeat(holder, name))] : []),
    ...(type ? [make("of another type", (holder) => retype(holder, name))] : []),
    ...(patternCode === undefined ? [] : [make("of another code", (holder) => recode(holder, name))]),
    ...(patternCodeableConcept ? [make("of another concept", (holder) => reconceive(holder, name))] : []),
  ];
}

/** The objects that hold an element, such as every official name for `Patient.name:official.family`. */
function holdersOf(body: Json, id: string): Json[] {
  let holders: Json[] = [body];
  for (const step of id.split(".").slice(1, -1)) {
    const [name = "", slice] = step.split(":");
    holders = holders
      .flatMap((holder) => holder[name] ?? [])
      .filter((child): child is Json => typeof child === "object" && child !== null)
      .filter((child) => slice === undefined || child["use"] === slice);
  }
  return holders;
}

function remove(holder: Json, name: string): void {
  const [element = "", slice] = name.split(":");
  const value = holder[element];
  if (slice === "official" && Array.isArray(value)) {
    holder[element] = value.filter((one: Json) => one["use"] !== slice);
    return;
  }
  for (const key of Object.keys(holder)) if (isNamed(key, element)) delete holder[key];
}

function put(holder: Json, name: string): void {
  const sample = samples[name];
  if (sample === undefined) throw new Error(`There is no sample of ${name}.`);
  if (!name.endsWith("[x]")) holder[name] = sample;
  else if (Array.isArray(sample)) holder[String(sample[0])] = sample[1];
}

function repeat(holder: Json, name: string): void {
  const value = holder[name];
  if (!Array.isArray(value)) throw new Error(`${name} is not repeated in the example.`);
  const [first] = value as Json[];
  holder[name] = [...value, { ...first, ...(first?.["value"] === undefined ? {} : { value: "another" }) }];
}

function retype(holder: Json, name: string): void {
  const [key = "", value] = otherTypes[name] ?? [];
  remove(holder, name);
  holder[key] = value;
}

function recode(holder: Json, name: string): void {
  holder[name] = name === "status" ? "amended" : "anonymous";
}

function reconceive(holder: Json, name: string): void {
  const [element = ""] = name.split(":");
  const other = { coding: [{ system: "http://example.org/codes", code: "other" }] };
  holder[element] = Array.isArray(holder[element]) ? [other] : other;
}

function isNamed(key: string, element: string): boolean {
  return element.endsWith("[x]") ? key.startsWith(element.slice(0, -"[x]".length)) : key === element;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
