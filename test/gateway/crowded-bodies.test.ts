import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

/** Far more than one of these bodies takes, far less than what went through it pair by pair; of the processor's time. */
const LONGEST_SILENCE_MS = 1500;
const MANY = 14_000;
const PPN = "https://fhir.ee/sid/pid/fin/ppn";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

/** How long at the most nothing else could be done while an answer was waited for, on a machine that does nothing else. */
async function longestSilence(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = workedMs();
  const note = () => {
    const now = workedMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(note, 5);
  await work();
  note();
  clearInterval(timer);
  return longest;
}

/** For how long this thread has been at work. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function many(make: (n: number) => unknown): unknown[] {
  return Array.from({ length: MANY }, (_, n) => make(n));
}

const status = {
  resourceType: "Observation",
  meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-socialhistory-marital-status"] },
  status: "final",
  code: { coding: [{ system: "http://snomed.info/sct", code: "125680007" }] },
  subject: { reference: "Patient/1" },
};

it.each([
  ["Patient", "address", (n: number) => ({ use: "home", country: "FI", text: `Tie ${n}` })],
  ["Patient", "name", () => ({ use: "x" })],
  ["Patient", "telecom", () => ({ use: "x" })],
  ["Patient", "identifier", (n: number) => ({ system: PPN, value: `${n % 9}` })],
  ["Patient", "extension", (n: number) => ({ url: "u", valueReference: { reference: `#${n}` } })],
  ["Observation", "focus", (n: number) => ({ reference: `Patient/${n + 1}` })],
  ["Observation", "contained", (n: number) => ({ resourceType: "RelatedPerson", id: `${n}` })],
])("a %s with thousands of %s is refused, and holds nobody else up", async (type, element, make) => {
  const crowd = { [element]: many(make) };
  const body = JSON.stringify(type === "Patient" ? inventedPatient(crowd) : { ...status, ...crowd });
  const silence = await longestSilence(async () => {
    const { status: answered, json } = await send(`${service.url}/fhir/${type}`, { method: "POST", body });
    expect(answered).toBe(400);
    expect(json.issue.length).toBeLessThanOrEqual(1001);
    expect(JSON.stringify(json)).toContain(`${type}.${element}`);
  });
  expect(silence).toBeLessThan(LONGEST_SILENCE_MS);
});

/** A form needs no token to be read, so one that nobody may send costs little. */
const LONGEST_OF_UNKNOWN_MS = 250;

it("a form with hundreds of thousands of parameters is refused before it is taken apart", async () => {
  const body = `${"a&".repeat(500_000)}family=Virtanen`;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const silence = await longestSilence(async () => {
    const url = `${service.url}/fhir/Patient/_search`;
    const { status: answered, json } = await send(url, { method: "POST", headers, body });
    expect(answered).toBe(400);
    expect(json.issue).toMatchObject([
      { details: { coding: [{ code: "MPI-015" }] }, expression: ["http.family"] },
    ]);
  });
  expect(silence).toBeLessThan(LONGEST_OF_UNKNOWN_MS);
});

const GIVEN_NAME = { name: "value", valueHumanName: { given: Array(200_000).fill("a") } };

it.each([
  ["a FHIRPath Patch of so many operations", "PATCH", "Patient/1", Array(340_000).fill({})],
  [
    "a FHIRPath Patch with a value of so many",
    "PATCH",
    "Patient/1",
    [{ name: "operation", part: [GIVEN_NAME] }],
  ],
  ["an operation with so many parameters", "POST", "Patient/$link", Array(340_000).fill({})],
])(
  "%s that they are no arguments of one function is refused all the same",
  async (_what, method, path, parameter) => {
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    const silence = await longestSilence(async () => {
      const { status: answered, text } = await send(`${service.url}/fhir/${path}`, { method, body });
      expect([answered, text]).toEqual([400, expect.stringContaining("Parameters.parameter[0]")]);
    });
    expect(silence).toBeLessThan(LONGEST_SILENCE_MS);
  },
);

it("a link by thousands of identifiers of one patient is refused, and none of them is looked for", async () => {
  const name = "source-patient-identifier";
  const parameter = many((n) => ({ name, valueIdentifier: { system: PPN, value: `${n}` } })).slice(0, 9000);
  const body = JSON.stringify({ resourceType: "Parameters", parameter });
  const silence = await longestSilence(async () => {
    const { json } = await send(`${service.url}/fhir/Patient/$link`, { method: "POST", body });
    const [issue] = json.issue;
    expect([issue.details.coding[0].code, issue.expression]).toEqual([
      "MPI-096",
      [`Parameters.parameter.where(name='${name}')`],
    ]);
  });
  expect(silence).toBeLessThan(LONGEST_SILENCE_MS);
});

it("an entry of a batch with thousands of two parameters is refused, and holds nobody else up", async () => {
  const query = ["_format=json&", "_pretty=true&"].map((one) => one.repeat(MANY)).join("");
  const entry = [{ request: { method: "GET", url: `Patient/1?${query}` } }];
  const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry });
  const silence = await longestSilence(async () => {
    const { json } = await send(`${service.url}/fhir`, { method: "POST", body, as: "nobody" });
    const [{ response }] = json.entry;
    expect(response.outcome.issue).toMatchObject([
      { details: { coding: [{ code: "MPI-080" }] }, expression: ["http._format"] },
      { details: { coding: [{ code: "MPI-080" }] }, expression: ["http._pretty"] },
    ]);
  });
  expect(silence).toBeLessThan(LONGEST_SILENCE_MS);
});

it.each([
  [
    "thousands of conditions",
    Array(MANY).fill({ name: "_lastUpdated", value: "gt2020" }),
    "http._lastUpdated",
  ],
  [
    "an element as deep as nothing is",
    [{ name: "_elements", value: `${"extension.".repeat(MANY)}url` }],
    "http._elements",
  ],
])("a search with %s is refused, and holds nobody else up", async (_what, given, expression) => {
  const url = `${service.url}/patientindex.v1.PatientService/SearchPatients`;
  const body = JSON.stringify({ parameters: [{ name: "_id", value: "1" }, ...given] });
  const silence = await longestSilence(async () => {
    const headers = { "content-type": "application/json" };
    const { status: answered, text } = await send(url, { method: "POST", headers, body });
    expect([answered, text]).toEqual([400, expect.stringContaining(expression)]);
  });
  expect(silence).toBeLessThan(LONGEST_SILENCE_MS);
});

it("an operation with thousands of parameters that it does not know names them, and holds nobody else up", async () => {
  const parameter = Array.from({ length: 2 * MANY }, (_, n) => ({ name: `x${n}`, valueString: "y" }));
  const body = JSON.stringify({ resourceType: "Parameters", parameter });
  const silence = await longestSilence(async () => {
    const { status: answered, json } = await send(`${service.url}/fhir/Patient/$mrn`, {
      method: "POST",
      body,
    });
    expect([answered, json.issue.length]).toEqual([400, 1001]);
    expect(json.issue[999].expression).toEqual(["Parameters.parameter[999].name"]);
  });
  expect(silence).toBeLessThan(LONGEST_SILENCE_MS);
});
