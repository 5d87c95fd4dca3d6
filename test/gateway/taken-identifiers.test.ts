import { afterAll, beforeAll, describe, expect, it } from "vitest";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { type RunningService, startService } from "../service.ts";
import { type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";
import { RR } from "./registers/register-answers.ts";

type Json = Record<string, unknown>;

const WRONG_PHONE = "MPI-026 Patient.telecom[0].value";
const TAKEN = "MPI-010 Patient.identifier";
const OF_SEVERAL = "MPI-017 Patient.identifier";

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

function post(path: string, body: Json): Promise<HttpAnswer> {
  return send(`${base}${path}`, { method: "POST", body: JSON.stringify(body) });
}

function put(id: unknown, body: Json): Promise<HttpAnswer> {
  return send(`${base}/Patient/${id}`, { method: "PUT", body: JSON.stringify(body) });
}

async function stored(): Promise<Json> {
  const { status, json } = await post("/Patient", inventedPatient());
  expect(status).toBe(201);
  return json;
}

/** A body with the identifiers of these patients and a wrong phone number. */
function spoiled(...holders: Json[]): Json {
  return inventedPatient({
    identifier: holders.flatMap(identifiersOf),
    telecom: [{ system: "phone", value: "1" }],
  });
}

function identifiersOf({ identifier }: Json): Json[] {
  return identifier as Json[];
}

/** The issues of an OperationOutcome as `code expression`. */
function issuesOf(outcome: Json): string[] {
  const issues = outcome["issue"] as { details: { coding: [{ code: string }] }; expression?: string[] }[];
  return issues.map(({ details, expression = [] }) => [details.coding[0].code, ...expression].join(" "));
}

function outcomesOf({ json }: HttpAnswer): Json[] {
  return json.entry.map(({ response }: { response: { outcome: Json } }) => response.outcome);
}

function bundle(type: string, ...patients: Json[]): Json {
  const entry = patients.map((resource) => ({ resource, request: { method: "POST", url: "Patient" } }));
  return { resourceType: "Bundle", type, entry };
}

describe("that other patients have the identifiers of a new one", () => {
  it("is said beside all else that is wrong with it", async () => {
    const [one, other] = [await stored(), await stored()];
    const answer = await post("/Patient", spoiled(one));
    expect([answer.status, ...issuesOf(answer.json)]).toEqual([400, WRONG_PHONE, TAKEN]);
    expect(issuesOf((await post("/Patient", spoiled(one, other))).json)).toEqual([WRONG_PHONE, OF_SEVERAL]);
    expect(issuesOf((await post("/Patient", spoiled(inventedPatient()))).json)).toEqual([WRONG_PHONE]);
  });

  it("is said by $validate, in batches and in transactions alike", async () => {
    const one = await stored();
    expect(issuesOf((await post("/Patient/$validate", spoiled(one))).json)).toEqual([WRONG_PHONE, TAKEN]);
    const batch = await post("", bundle("batch", spoiled(one), spoiled(inventedPatient())));
    expect(outcomesOf(batch).map(issuesOf)).toEqual([[WRONG_PHONE, TAKEN], [WRONG_PHONE]]);
    const transaction = await post("", bundle("transaction", spoiled(one)));
    expect(issuesOf(transaction.json).map((issue) => issue.split(" ")[0])).toEqual(["MPI-026", "MPI-010"]);
  });

  it("is said of a conditional creation whose content is wrong, when its transaction creates the other one", async () => {
    const first = inventedPatient();
    const { entry, ...rest } = bundle("transaction", first, spoiled(first)) as { entry: [Json, Json] };
    const [{ system, value }] = identifiersOf(first) as [Json];
    const request = { method: "POST", url: "Patient", ifNoneExist: `identifier=${system}|${value}` };
    const { json } = await post("", { ...rest, entry: [entry[0], { ...entry[1], request }] });
    expect(issuesOf(json).map((issue) => issue.split(" ")[0])).toEqual(["MPI-026", "MPI-010"]);
  });

  it("is not said where the structure is wrong, which is told alone", async () => {
    const answer = await post("/Patient", { ...spoiled(await stored()), colour: "red" });
    expect(issuesOf(answer.json)).toEqual(["MPI-096 Patient.colour"]);
  });
});

describe("that another patient has an identifier that a PUT adds", () => {
  it("is said beside all else that is wrong with it", async () => {
    const [own, other] = [await stored(), await stored()];
    expect(issuesOf((await put(own["id"], spoiled(own, other))).json)).toEqual([WRONG_PHONE, OF_SEVERAL]);
    expect(issuesOf((await put(own["id"], spoiled(own))).json)).toEqual([WRONG_PHONE]);
  });

  it("is not said of an Estonian personal code: nobody learns so whom the index holds", async () => {
    const own = await stored();
    const [known = "", unknown = ""] = people.people.map(({ personalCode }) => personalCode);
    await send(`${base}/Patient/$lookup?identifier=${known}&source=${RR}`);
    for (const value of [known, unknown]) {
      const added = { identifier: [{ system: "https://fhir.ee/sid/pid/est/ni", value }] };
      expect(issuesOf((await put(own["id"], spoiled(own, added))).json)).toEqual([
        "MPI-050 Patient.identifier[1]",
        WRONG_PHONE,
      ]);
    }
  });
});
