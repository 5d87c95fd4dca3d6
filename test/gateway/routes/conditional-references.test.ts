import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onServer } from "../../database.ts";
import { PID } from "../../patients/examples.ts";
import { type RunningService, startService } from "../../service.ts";
import { marriageOf, spouseOf } from "../family.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

const NUMBER = "P7700123";
const BY_SEARCH = `Patient?identifier=${PID}/fin/ppn|${NUMBER}`;
const EXTENSION = "https://example.org/referred-by";

let service: RunningService;
let patient: string;

beforeAll(async () => {
  service = await startService();
  patient = `Patient/${(await post("Patient", inventedPatient())).json.id}`;
});

afterAll(() => service.stop());

function post(path: string, body: object): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`, { method: "POST", body: JSON.stringify(body) });
}

function faultsOf({ json }: HttpAnswer): string[] {
  return json.issue.map(
    ({ details, expression }: { details: { coding: { code: string }[] }; expression: string[] }) =>
      `${details.coding[0]?.code} ${expression}`,
  );
}

const referring = (reference: string) => [{ url: EXTENSION, valueReference: { reference } }];

describe("a reference by a search, which only a transaction resolves", () => {
  it.each([
    [
      "a patient",
      () => post("Patient", { ...inventedPatient(), extension: referring(BY_SEARCH) }),
      "Patient.extension[0].value",
    ],
    [
      "a contact person",
      () => post("RelatedPerson", spouseOf(patient, { extension: referring(BY_SEARCH) })),
      "RelatedPerson.extension[0].value",
    ],
    [
      "an observation",
      () => post("Observation", marriageOf(patient, { extension: referring(BY_SEARCH) })),
      "Observation.extension[0].value",
    ],
    [
      "any type",
      () =>
        post(
          "RelatedPerson",
          spouseOf(patient, { extension: referring(`Practitioner?identifier=x|${NUMBER}`) }),
        ),
      "RelatedPerson.extension[0].value",
    ],
    [
      "an absolute address",
      () =>
        post(
          "RelatedPerson",
          spouseOf(patient, { extension: referring(`https://a.example/fhir/${BY_SEARCH}`) }),
        ),
      "RelatedPerson.extension[0].value",
    ],
    [
      "the patient of a contact person, once",
      () => post("RelatedPerson", spouseOf(BY_SEARCH)),
      "RelatedPerson.patient",
    ],
  ])("is refused alone, in %s", async (_where, ask, element) => {
    const answer = await ask();
    expect(answer.status).toBe(400);
    expect(faultsOf(answer)).toEqual([`MPI-096 ${element}`]);
  });

  it("is not kept beside the identifier of the other person of a marital status either", async () => {
    const identifier = { system: `${PID}/swe/ni`, value: "19850702-9805" };
    await post("RelatedPerson", spouseOf(patient, { identifier: [identifier] }));
    const related = await post("Observation", marriageOf(patient, { focus: [{ identifier }] }));
    expect(related.status).toBe(201);
    const answer = await post(
      "Observation",
      marriageOf(patient, { focus: [{ reference: `RelatedPerson?identifier=${PID}/swe/ni|x`, identifier }] }),
    );
    expect(faultsOf(answer)).toContain("MPI-096 Observation.focus[0]");
  });

  it("leaves nothing of the identifier in the database", async () => {
    const found = await onServer(service.databaseUrl, async (client) => {
      const { rows } = await client.query(
        "SELECT count(*)::int AS n FROM related_person_history WHERE position($1::bytea IN document) > 0",
        [Buffer.from(NUMBER)],
      );
      return rows[0].n;
    });
    expect(found).toBe(0);
  });
});
