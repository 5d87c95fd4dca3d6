import type { DescMessage } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { encodeResource } from "../../gateway/fhir/index.ts";
import { fhirArbitrary } from "../gateway/fhir/fhir-arbitrary.ts";
import { type HttpAnswer, send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { maritalStatus } from "../observations/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { type RunningService, startService } from "../service.ts";

const RUNS = process.env["MPI_TEST_TIER"] === "long" ? 1000 : 60;

let service: RunningService;
let patient: { reference: string };

beforeAll(async () => {
  service = await startService();
  const { json } = await post("Patient", inventedPatient());
  patient = { reference: `Patient/${json.id}` };
});

afterAll(async () => {
  await service.stop();
});

function post(type: string, body: object): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${type}`, { method: "POST", body: JSON.stringify(body) });
}

// Of a patient's contacts any number may be passive, and without identifiers none is there twice.
const valid = {
  RelatedPerson: () => ({
    ...encodeResource(RelatedPersonSchema, contactPerson({ active: false, identifier: [] })),
    patient,
  }),
  Observation: () => ({ ...encodeResource(ObservationSchema, maritalStatus()), subject: patient }),
};

const types: { type: keyof typeof valid; schema: DescMessage }[] = [
  { type: "RelatedPerson", schema: RelatedPersonSchema },
  { type: "Observation", schema: ObservationSchema },
];

describe.each(types)("any $type", ({ type, schema }) => {
  it("whatever it holds, is stored or refused, never an error of ours", { timeout: 600_000 }, async () => {
    const bodies = fc.tuple(fhirArbitrary(schema, 4), fc.boolean());
    await fc.assert(
      fc.asyncProperty(bodies, async ([body, ours]) => {
        const answer = await post(type, ours ? { ...body, ...valid[type]() } : body);
        expect([201, 400, 404, 409, 422], answer.text).toContain(answer.status);
        if (answer.status === 201) await expectShownAlike(type, answer);
      }),
      { numRuns: RUNS },
    );
  });
});

/** What was stored is shown as it was answered: by its id, by its version, and in a search. */
async function expectShownAlike(type: string, { json }: HttpAnswer): Promise<void> {
  const url = `${service.url}/fhir/${type}`;
  expect((await send(`${url}/${json.id}`)).json).toEqual(json);
  expect((await send(`${url}/${json.id}/_history/1`)).json).toEqual(json);
  const { json: found } = await send(`${url}?patient=${patient.reference}&_count=1`);
  expect(found.entry[0].resource).toEqual(json);
}
