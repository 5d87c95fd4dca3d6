import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { encodeResource, type FhirJson } from "../../gateway/fhir/index.ts";
import { fhirArbitrary } from "../gateway/fhir/fhir-arbitrary.ts";
import { type HttpAnswer, send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { type RunningService, startService } from "../service.ts";
import { arbitraryPatient } from "./arbitrary-patient.ts";

const RUNS = process.env["MPI_TEST_TIER"] === "long" ? 1000 : 80;

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

describe("a patient that is posted", () => {
  it("and valid is stored and read as it was answered", { timeout: 600_000 }, async () => {
    const stored: string[] = [];
    await fc.assert(
      fc.asyncProperty(arbitraryPatient, async (patient) => {
        const answer = await post(encodeResource(PatientSchema, patient));
        // Generated identifiers meet again now and then, and not every Estonian address is one that exists.
        expect([201, 409, 422], answer.text).toContain(answer.status);
        if (answer.status !== 201) return;
        stored.push(answer.json.id);
        expect((await send(`${service.url}/fhir/Patient/${answer.json.id}`)).json).toEqual(answer.json);
      }),
      { numRuns: RUNS },
    );
    expect(stored.length).toBeGreaterThan(RUNS / 4);
  });

  it("and holds anything whatever is stored or refused, never an error of ours", {
    timeout: 600_000,
  }, async () => {
    const bodies = fc.tuple(fhirArbitrary(PatientSchema, 4), fc.boolean());
    await fc.assert(
      fc.asyncProperty(bodies, async ([body, ours]) => {
        const answer = await post(ours ? { ...body, ...inventedPatient() } : body);
        expect([201, 400, 409, 422], answer.text).toContain(answer.status);
        if (answer.status !== 201) expect(answer.json.resourceType).toBe("OperationOutcome");
      }),
      { numRuns: RUNS },
    );
  });
});

function post(body: FhirJson | object): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/Patient`, { method: "POST", body: JSON.stringify(body) });
}
