import { create } from "@bufbuild/protobuf";
import { type Identifier, IdentifierSchema, MetaSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { IDENTIFIER_BASE } from "../identifiers/index.ts";
import type { NameList } from "./names.ts";
import type { Random } from "./random.ts";

const PROFILES = "https://fhir.ee/mpi/StructureDefinition/";
const DAY_MS = 86_400_000;
/** Nobody is older, and nobody was born after the last day. */
const FIRST_DAY = Date.UTC(1930, 0, 1);
const LAST_DAY = Date.UTC(2024, 11, 31);
/** How many birthdays there are to choose from. */
export const BIRTHDAYS = (LAST_DAY - FIRST_DAY) / DAY_MS + 1;

export type Sex = "male" | "female";

/** YYYY-MM-DD of the day with that number, from 0. */
export function birthday(day: number): string {
  return new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
}

export function metaOf(profile: string) {
  return create(MetaSchema, { profile: [PROFILES + profile] });
}

/** `path` is the part of the system after the base, such as fin/ni. */
export function identifierOf(
  path: string,
  value: string,
  period?: { start: string; end: string },
): Identifier {
  return create(IdentifierSchema, {
    use: "official",
    system: `${IDENTIFIER_BASE}/${path}`,
    value,
    ...(period && { period }),
  });
}

/** Official name: one or two given names. */
export function officialName(random: Random, list: NameList, sex: Sex) {
  const given = [random.pick(list[sex])];
  if (random.percent(25)) given.push(random.pick(list[sex]));
  const families = sex === "female" ? (list.womensFamily ?? list.family) : list.family;
  return { use: "official", family: random.pick(families), given };
}

/** A mobile phone and, mostly, an e-mail address; `prefix` is the country code and the first digits of its mobile numbers. */
export function telecomOf(random: Random, prefix: string, index: number) {
  const phone = { system: "phone", value: `${prefix}${random.digits(6)}`, use: "mobile" };
  const email = { system: "email", value: `p${index}@post.example`, use: "home" };
  return random.percent(80) ? [phone, email] : [phone];
}

export function languageOf(code: string) {
  return { language: { coding: [{ system: "urn:ietf:bcp:47", code }] }, preferred: true };
}
