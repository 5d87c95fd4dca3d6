import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type {
  ElementDefinition,
  StructureDefinition,
} from "../../../gateway/definitions/structure-definition.ts";
import { type RunningService, startService } from "../../service.ts";
import { send } from "../http-client.ts";
import { everybody, observationsOf, RR } from "./register-answers.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
  await Promise.all(
    everybody.map(({ personalCode }) => get(`$lookup?identifier=${personalCode}&source=${RR}`)),
  );
});
afterAll(() => service.stop());

/** So many answers of each operation are looked at; in the long tier all that there are. */
const ENOUGH = process.env["MPI_TEST_TIER"] === "long" ? Number.POSITIVE_INFINITY : 12;

const headers = { "x-road-issue": "visit" };

function get(operation: string) {
  return send(`${service.url}/fhir/Patient/${operation}`, { headers });
}

const served = new Map<string, StructureDefinition>();

async function definitionOf({ meta }: { meta: { profile: string[] } }): Promise<StructureDefinition> {
  const known = served.get(meta.profile.join());
  if (known) return known;
  const [, id] = /^https:\/\/fhir\.ee\/mpi\/StructureDefinition\/(.*)$/.exec(meta.profile[0] ?? "") ?? [];
  const { status, json } = await send(`${service.url}/fhir/StructureDefinition/${id}`);
  expect([meta.profile, status]).toEqual([[json.url], 200]);
  served.set(json.url, json);
  return json;
}

/** What an observation has of an element, a choice by any of its types. */
function valuesOf(
  observation: object,
  { path }: ElementDefinition,
): readonly [name: string, value: object][] {
  const name = path.replace(/^Observation\.|\.profile$/g, "");
  const pattern = new RegExp(`^${name.replace("[x]", "[A-Z]\\w*")}$`);
  return Object.entries(observation)
    .filter(([key]) => pattern.test(key))
    .flatMap(([key, value]) => [value].flat().map((one) => [key, one] as [string, object]));
}

/** The elements of a profile that an observation does not keep to. */
function brokenBy(observation: object, { differential }: StructureDefinition): string[] {
  return differential.element
    .filter((element) => {
      const { min = 0, max = "*", type, patternCode, patternCodeableConcept } = element;
      const values = valuesOf(observation, element);
      return (
        values.length < min ||
        (max !== "*" && values.length > Number(max)) ||
        values.some(([name]) => type && !type.some(({ code }) => name.endsWith(code))) ||
        values.some(([, value]) => patternCode !== undefined && String(value) !== patternCode) ||
        values.some(
          ([, value]) => patternCodeableConcept && !isDeepStrictEqual(value, patternCodeableConcept),
        )
      );
    })
    .map(({ id }) => id);
}

it.each([
  "disability",
  "education",
  "incapacity-for-work",
  "legal-guardian",
  "legal-relationship",
  "legal-status",
  "occupation",
  "power-of-attorney",
])("what $%s answers keeps to the profile that it names, which is served", async (operation) => {
  const status = operation === "legal-guardian" ? ["365569001", "58626002"] : [""];
  let seen = 0;
  for (const { personalCode } of everybody) {
    if (seen >= ENOUGH) break;
    for (const one of status) {
      const query = `patient.identifier=${personalCode}${one && `&legal-status=${one}`}`;
      const answer = await get(`$${operation}?${query}`);
      if (answer.status !== 200) continue;
      for (const observation of observationsOf(answer)) {
        seen += 1;
        expect([personalCode, brokenBy(observation, await definitionOf(observation))]).toEqual([
          personalCode,
          [],
        ]);
      }
    }
  }
  expect(seen).toBeGreaterThan(0);
});

it("the profile that $name names is served", async () => {
  const { json } = await get(`$name?patient.identifier=${everybody[0]?.personalCode}`);
  expect((await definitionOf(json)).type).toBe("Parameters");
});

it("the CapabilityStatement names only the profile of what is stored", async () => {
  const { json } = await send(`${service.url}/fhir/metadata`);
  const observation = json.rest[0].resource.find(({ type }: { type: string }) => type === "Observation");
  expect(observation.supportedProfile).toEqual([
    "https://fhir.ee/mpi/StructureDefinition/ee-mpi-socialhistory-marital-status",
  ]);
});
