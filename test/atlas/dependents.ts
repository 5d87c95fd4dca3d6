import { marriageOf } from "../gateway/family.ts";
import type { IndexUnderTest, StoredResource } from "./index-under-test.ts";
import { identifier, PROFILES } from "./people.ts";
import type { Json } from "./scenario.ts";

const ROLE_CLASS = "http://terminology.hl7.org/CodeSystem/v3-RoleClass";

/** A contact of this kind in v3-RoleClass. */
export function kind(code: string): Json {
  return { coding: [{ system: ROLE_CLASS, code }] };
}

/** A contact person of the patient of a reference, whom nobody else is; what is given replaces its elements. */
export function contact(reference: string, changes: Json = {}): Json {
  return {
    resourceType: "RelatedPerson",
    meta: { profile: [`${PROFILES}ee-mpi-related-person`] },
    identifier: [identifier("swe/ni")],
    active: true,
    patient: { reference },
    relationship: [kind("CON")],
    name: [{ use: "official", family: "Lehtinen", given: ["Eero"] }],
    period: { start: "2019-08-01" },
    ...changes,
  };
}

/** The marital status of the patient of a reference: divorced. What is given replaces its elements. */
export function maritalStatus(reference: string, changes: Json = {}): Json {
  const divorced = { system: "http://terminology.hl7.org/CodeSystem/v3-MaritalStatus", code: "D" };
  return marriageOf(reference, { valueCodeableConcept: { coding: [divorced] }, ...changes });
}

/** Stores a resource and deletes it; answers with it as it was. */
export async function deleted(index: IndexUnderTest, body: Json): Promise<StoredResource> {
  const stored = await index.store(body);
  await index.remove(`${body["resourceType"]}/${stored.id}`);
  return stored;
}
