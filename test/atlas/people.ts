import { randomUUID } from "node:crypto";
import type { IndexUnderTest } from "./index-under-test.ts";
import type { Json } from "./scenario.ts";

export const PROFILES = "https://fhir.ee/mpi/StructureDefinition/";
export const PID = "https://fhir.ee/sid/pid";

/** An identifier that nobody has yet. */
export function identifier(type = "fin/ni"): { system: string; value: string } {
  return { system: `${PID}/${type}`, value: randomUUID() };
}

/** A patient that can be created, whom nobody else is; what is given replaces its elements. */
export function verified(changes: Json = {}): Json {
  return {
    resourceType: "Patient",
    meta: { profile: [`${PROFILES}ee-mpi-patient-verified`] },
    identifier: [identifier()],
    active: true,
    name: [{ use: "official", family: "Lehtinen", given: ["Aune"] }],
    gender: "female",
    birthDate: "1967-03-05",
    ...changes,
  };
}

/** A patient of whom only the place is known where he was found. */
export function unknown(changes: Json = {}): Json {
  return {
    resourceType: "Patient",
    meta: { profile: [`${PROFILES}ee-mpi-patient-unknown`] },
    identifier: [identifier("est/mr")],
    name: [{ use: "nickname", text: "The one from the railway station" }],
    gender: "male",
    ...changes,
  };
}

/** Stores a patient; answers with the reference to it. */
export async function someone(index: IndexUnderTest): Promise<string> {
  const { id } = await index.store(verified());
  return `Patient/${id}`;
}

/** Stores a patient for each type of identifier, all with the same number; answers with the number. */
export async function holdersOfOneNumber(
  index: IndexUnderTest,
  types: readonly string[] = ["fin/ni", "swe/ni"],
): Promise<string> {
  const { value } = identifier();
  for (const type of types) await index.store(verified({ identifier: [{ ...identifier(type), value }] }));
  return value;
}

/** The same without an element. */
export function without(body: Json, element: string): Json {
  const { [element]: _left, ...rest } = body;
  return rest;
}
