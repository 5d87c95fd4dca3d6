import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doctor, type TestCaller } from "../../callers.ts";
import { PID } from "../../patients/examples.ts";
import { type RunningService, startService } from "../../service.ts";
import { marriageOf, spouseOf } from "../family.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { everybody, RR } from "../registers/register-answers.ts";

const [one, other] = everybody.map(({ personalCode }) => personalCode);
const NI = `${PID}/est/ni`;
const administrator: TestCaller = { ...doctor, role: "administrator" };
const asPatient = (personalCode = ""): TestCaller => ({ ...doctor, personalCode, role: "patient" });

let service: RunningService;
/** Whose trail is looked at. */
let id: string;
let otherId: string;
let reasons = 0;

interface Call {
  readonly as?: TestCaller;
  readonly body?: object;
}

beforeAll(async () => {
  service = await startService();
  const idOf = async (code?: string) =>
    (await call(`Patient/$lookup?identifier=${code}&source=${RR}`)).json.entry[0].resource.id;
  id = await idOf(one);
  otherId = await idOf(other);
});

afterAll(() => service.stop());

function call(path: string, { as, body }: Call = {}, reason = "any"): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`, {
    headers: { "x-road-issue": reason },
    ...(as && { as }),
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
}

/** Does something, and gives back what the patient then sees of it in the trail: method and outcome. */
async function traceOf(does: (reason: string) => Promise<unknown>): Promise<string[]> {
  reasons += 1;
  const reason = `reason ${reasons}`;
  await does(reason);
  const { json } = await call(`AuditEvent?patient=Patient/${id}&_count=100`, { as: asPatient(one) });
  return json.entry
    .map(({ resource }: { resource: AuditEventJson }) => resource)
    .filter(({ authorization }: AuditEventJson) => authorization?.[0]?.text === reason)
    .map(({ code, outcome }: AuditEventJson) => [code.text, outcome.code.code].join(" "));
}

interface AuditEventJson {
  readonly action: string;
  readonly entity?: readonly { readonly what: { readonly reference?: string } }[];
  readonly authorization?: readonly { readonly text: string }[];
  readonly code: { readonly text: string };
  readonly outcome: { readonly code: { readonly code: string } };
}

describe("a search that names a patient and does not show them is in the patient's trail", () => {
  it.each([
    ["a count", () => `Patient?identifier=${NI}|${one}&deceased=false&_summary=count`],
    ["one without results", () => `Patient?identifier=${NI}|${one}&_count=0`],
    ["a page behind the last", () => `Patient?identifier=${NI}|${one}&_page=2`],
    ["a criterion that does not fit", () => `Patient?_id=${id}&deceased=true`],
    ["several that do not fit", () => `Patient?patient-identifier=${NI}|${other},${NI}|${one}&active=false`],
  ])("%s", async (_what, path) => {
    const trace = await traceOf((reason) => call(path(), {}, reason));
    expect(trace).toEqual(["PatientService/SearchPatients success"]);
  });
});

describe("a refused call is in the trail of the patient whom it named by", () => {
  it.each([
    ["an identifier", () => `Patient?identifier=${NI}|${one}`, "PatientService/SearchPatients"],
    ["an id", () => `Patient?_id=${id}`, "PatientService/SearchPatients"],
    [
      "the code of a look-up",
      () => `Patient/$lookup?identifier=${one}`,
      "PatientLookupService/LookupPatients",
    ],
  ])("%s", async (_what, path, method) => {
    const trace = await traceOf((reason) => call(path(), { as: administrator }, reason));
    expect(trace).toEqual([`${method} error`]);
  });
});

it("a link that is refused as it names two by one parameter is in the trail of the second too", async () => {
  const parameter = [
    {
      name: "source-patient",
      valueReference: { reference: `Patient/${otherId}`, identifier: { system: NI, value: one } },
    },
    { name: "target-patient", valueReference: { reference: "Patient/777777" } },
  ];
  for (const operation of ["link", "unlink"]) {
    const trace = await traceOf(async (reason) => {
      const { json } = await call(
        `Patient/$${operation}`,
        { body: { resourceType: "Parameters", parameter } },
        reason,
      );
      expect(json.issue[0].details.coding[0].code).toBe("MPI-046");
    });
    expect(trace).toHaveLength(1);
    expect(trace[0]).toMatch(/^LinkageService\/(Link|Unlink)Patients error$/);
  }
});

describe("a call that names nobody, as what it asks reads it, is in no trail", () => {
  it.each([
    ["a bare id in an operation", () => `Patient/$education?patient=${id}`, "MPI-021"],
    ["a bare code in a search", () => `Patient?identifier=${one}`, "MPI-015"],
    [
      "a bare code in a search for contact persons",
      () => `RelatedPerson?patient.identifier=${one}`,
      "MPI-015",
    ],
  ])("%s", async (_what, path, code) => {
    const trace = await traceOf(async (reason) => {
      const { json } = await call(path(), {}, reason);
      expect(json.issue[0].details.coding[0].code).toBe(code);
    });
    expect(trace).toEqual([]);
  });
});

describe("a transaction is in the trail of whom its conditions found", () => {
  const transaction = (...entry: object[]) => ({ resourceType: "Bundle", type: "transaction", entry });
  const reading = (path: string) => ({ request: { method: "GET", url: path } });

  it("when a reference by a search is resolved", async () => {
    const extension = [
      {
        url: "https://example.org/referred-by",
        valueReference: { reference: `Patient?identifier=${NI}|${one}` },
      },
    ];
    const body = transaction({
      resource: spouseOf(`Patient/${otherId}`, { extension }),
      request: { method: "POST", url: "RelatedPerson" },
    });
    const trace = await traceOf(async (reason) => {
      expect((await call("", { body }, reason)).status).toBe(200);
    });
    expect(trace).toEqual(["TransactionService/ProcessTransaction success"]);
  });

  it("when it is refused for something else", async () => {
    const body = transaction(
      {
        resource: spouseOf(`Patient?identifier=${NI}|${one}`),
        request: { method: "POST", url: "RelatedPerson" },
      },
      reading("Patient/777777"),
    );
    const trace = await traceOf(async (reason) => {
      expect((await call("", { body }, reason)).status).toBe(404);
    });
    expect(trace).toEqual(["TransactionService/ProcessTransaction error"]);
  });
});

describe("a transaction tells in the trail of a patient what it looked at, whatever it writes", () => {
  const PROCESSED = "TransactionService/ProcessTransaction";
  const reading = (url: string) => ({ request: { method: "GET", url } });
  const creating = (patient: string) => ({
    resource: spouseOf(patient),
    request: { method: "POST", url: "RelatedPerson" },
  });

  /** Method, action and resources of each entry that a transaction leaves, the read behind the writes. */
  async function entriesOf(...entry: object[]): Promise<string[]> {
    reasons += 1;
    const reason = `reason ${reasons}`;
    const body = { resourceType: "Bundle", type: "transaction", entry };
    expect((await call("", { body }, reason)).status).toBe(200);
    const { json } = await call(`AuditEvent?patient=Patient/${id}&_count=100`, { as: asPatient(one) });
    const entries: AuditEventJson[] = json.entry.map(
      ({ resource }: { resource: AuditEventJson }) => resource,
    );
    return entries
      .filter(({ authorization }) => authorization?.[0]?.text === reason)
      .map(({ code, action, entity }) => {
        const met = (entity ?? []).flatMap(({ what }) => what.reference ?? []);
        return [code.text, action, ...met.toSorted()].join(" ");
      })
      .toSorted();
  }

  const contact = expect.stringMatching(/^RelatedPersonService\/CreateRelatedPerson C RelatedPerson\/\d+$/);

  it("by reads", async () => {
    const entries = await entriesOf(creating(`Patient/${id}`), reading(`Patient/${id}/_history`));
    expect(entries).toEqual([contact, `${PROCESSED} E Patient/${id}`]);
  });

  it("by a creation that finds it there", async () => {
    const ifNoneExist = `identifier=${NI}|${one}`;
    const resource = { resourceType: "Patient" };
    const found = { resource, request: { method: "POST", url: "Patient", ifNoneExist } };
    const entries = await entriesOf(found, creating(`Patient/${id}`));
    expect(entries).toEqual([contact, `${PROCESSED} E Patient/${id}`]);
  });

  it("by a condition that finds the patient", async () => {
    const entries = await entriesOf(creating(`Patient?identifier=${NI}|${one}`));
    expect(entries).toEqual([contact, `${PROCESSED} E Patient/${id}`]);
  });

  it.each([
    ["a count", () => `Patient?_id=${id}&_summary=count`],
    ["a search that finds nobody", () => `Patient?identifier=${NI}|${one}&deceased=true`],
    ["a history with nothing in it", () => `Patient/${id}/_history?_since=2099-01-01`],
  ])("by %s, beside reads and writes of others", async (_what, path) => {
    const entries = await entriesOf(
      creating(`Patient/${otherId}`),
      reading(path()),
      reading(`Patient/${otherId}`),
    );
    expect(entries).toEqual([`${PROCESSED} E Patient/${id}`]);
  });

  it.each([
    ["POST", () => ({ url: "Patient", ifNoneExist: `identifier=${NI}|${one}&deceased=true` })],
    ["PUT", () => ({ url: `Patient?identifier=${NI}|${one}&deceased=true` })],
  ])("by the condition of a %s that the patient does not fit", async (method, request) => {
    const resource = inventedPatient();
    const entries = await entriesOf({ resource, request: { method, ...request() } });
    expect(entries).toEqual([`${PROCESSED} E Patient/${id}`]);
  });

  it("and says nothing else when it looked at nothing else", async () => {
    expect(await entriesOf(creating(`Patient/${id}`))).toEqual([contact]);
  });

  it("the patient beside the contact persons, where it read both", async () => {
    const [read] = await entriesOf(reading(`Patient/${id}`), reading(`RelatedPerson?patient=Patient/${id}`));
    expect(read).toMatch(new RegExp(`^${PROCESSED} E Patient/${id} RelatedPerson/\\d+`));
  });
});

describe("the other person of a marital status", () => {
  const marriage = () => marriageOf(`Patient/${otherId}`, { focus: [{ reference: `Patient/${id}` }] });

  it("sees in the trail that their identifiers were compared", async () => {
    const identifier = [{ system: NI, value: one }];
    await call("RelatedPerson", { body: spouseOf(`Patient/${otherId}`, { identifier }) });
    const trace = await traceOf(async (reason) => {
      expect((await call("Observation", { body: marriage() }, reason)).status).toBe(201);
    });
    expect(trace).toEqual(["ObservationService/CreateObservation success"]);
  });

  it("is out of reach of a patient who is not they, who does not learn whose record it is", async () => {
    for (const path of ["Observation", "Observation/$validate"]) {
      const answer = await call(path, { as: asPatient(other), body: marriage() });
      expect([path, answer.status, answer.json.issue[0].details.coding[0].code]).toEqual([
        path,
        403,
        "MPI-052",
      ]);
    }
  });
});
