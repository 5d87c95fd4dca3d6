import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type RunningService, startService } from "../../service.ts";
import { marriageOf, spouseOf } from "../family.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

type Json = Record<string, unknown>;
type Headers = Record<string, string>;

/** A write under a condition, however it is sent. */
interface Write {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly type: string;
  readonly condition: string;
  readonly resource?: Json;
  readonly ifMatch?: string;
}

/** What came of a write, and what it was refused for. */
interface Done {
  readonly status: string;
  readonly id?: string;
  readonly codes?: string[];
  readonly expression?: string[];
}

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

async function stored(resource: Json): Promise<string> {
  const { status, json } = await post(`/${resource["resourceType"]}`, resource);
  expect(status).toBe(201);
  return json.id;
}

function post(path: string, body: Json, headers: Headers = {}): Promise<HttpAnswer> {
  return send(`${base}${path}`, { method: "POST", body: JSON.stringify(body), headers });
}

async function totalOf(search: string): Promise<number> {
  return (await send(`${base}/${search}`)).json.total;
}

const tokenOf = (patient: Json) => {
  const [{ system, value }] = patient["identifier"] as [{ system: string; value: string }];
  return `${system}|${value}`;
};

async function alone({ method, type, condition, resource, ifMatch }: Write): Promise<Done> {
  const isCreation = method === "POST";
  const { status, json } = await send(`${base}/${type}${isCreation ? "" : `?${condition}`}`, {
    method,
    ...(resource && { body: JSON.stringify(resource) }),
    headers: {
      ...(isCreation && { "if-none-exist": condition }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
    },
  });
  return doneOf(String(status), json);
}

function entryOf({ method, type, condition, resource, ifMatch }: Write): Json {
  const isCreation = method === "POST";
  return {
    ...(resource && { resource }),
    request: {
      method,
      url: isCreation ? type : `${type}?${condition}`,
      ...(isCreation && { ifNoneExist: condition }),
      ...(ifMatch !== undefined && { ifMatch }),
    },
  };
}

const inBundle = (type: string) => async (write: Write) => {
  const { status, json } = await post("", { resourceType: "Bundle", type, entry: [entryOf(write)] });
  if (json.resourceType !== "Bundle") return doneOf(String(status), json);
  const [{ resource, response }] = json.entry;
  return doneOf(response.status.slice(0, 3), response.outcome ?? resource);
};

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came and states what it must be.
function doneOf(status: string, json: any): Done {
  if (json?.resourceType !== "OperationOutcome") return { status, ...(json && { id: json.id }) };
  const issues: { details: { coding: { code: string }[] }; expression?: string[] }[] = json.issue;
  return {
    status,
    codes: issues.map(({ details }) => details.coding[0]?.code ?? ""),
    expression: issues.flatMap(({ expression = [] }) => expression),
  };
}

const ways: [string, (write: Write) => Promise<Done>][] = [
  ["alone", alone],
  ["in a batch", inBundle("batch")],
  ["in a transaction", inBundle("transaction")],
];

describe.each(ways)("a condition of a request %s", (way, sent) => {
  const parameterAt = (name: string, element: "url" | "ifNoneExist") =>
    way === "in a transaction" ? `Bundle.entry[0].request.${element}` : `http.${name}`;

  test.each([
    "_count=1",
    "_count=0",
    "_page=2",
    "_sort=_lastUpdated",
    "_elements=id",
    "_summary=true",
    "_total=none",
  ])("says nothing of a result: with %s nothing is replaced, deleted or created", async (shaping) => {
    const patient = inventedPatient();
    const id = await stored(patient);
    const contacts = `patient=Patient/${id}`;
    const contact = spouseOf(`Patient/${id}`);
    await stored(contact);
    await stored(spouseOf(`Patient/${id}`));
    const type = "RelatedPerson";
    const name = shaping.split("=")[0] ?? "";
    const refused = (element: "url" | "ifNoneExist"): Done => ({
      status: "400",
      codes: ["MPI-015"],
      expression: [parameterAt(name, element)],
    });
    expect(await sent({ method: "DELETE", type, condition: `${contacts}&${shaping}` })).toEqual(
      refused("url"),
    );
    expect(
      await sent({ method: "PUT", type, condition: `${contacts}&${shaping}`, resource: contact }),
    ).toEqual(refused("url"));
    expect(
      await sent({ method: "POST", type, condition: `${contacts}&${shaping}`, resource: contact }),
    ).toEqual(refused("ifNoneExist"));
    const condition = `identifier=${tokenOf(patient)}&${shaping}`;
    expect(await sent({ method: "POST", type: "Patient", condition, resource: inventedPatient() })).toEqual(
      refused("ifNoneExist"),
    );
    expect(await totalOf(`RelatedPerson?${contacts}`)).toBe(2);
  });

  test("that two fit changes neither of them", async () => {
    const [one, other] = [await stored(inventedPatient()), await stored(inventedPatient())];
    const condition = `_id=${one},${other}`;
    const resource = inventedPatient();
    expect(await sent({ method: "PUT", type: "Patient", condition, resource })).toMatchObject({
      status: "412",
    });
    expect(await sent({ method: "POST", type: "Patient", condition, resource })).toMatchObject({
      status: "412",
    });
  });

  test.each(["", "?", "Patient?"])("of a creation may begin with '%s'", async (prefix) => {
    const patient = inventedPatient();
    const id = await stored(patient);
    const condition = `${prefix}identifier=${tokenOf(patient)}`;
    expect(await sent({ method: "POST", type: "Patient", condition, resource: inventedPatient() })).toEqual({
      status: "200",
      id,
    });
  });

  test.each(["", "_format=json&_pretty=true&"])(
    "of a creation may be the address of a search in the index, as HAPI's client sends it: Patient?%s",
    async (form) => {
      const patient = inventedPatient();
      const id = await stored(patient);
      const condition = `${base}/Patient?${form}identifier=${encodeURIComponent(tokenOf(patient))}`;
      expect(await sent({ method: "POST", type: "Patient", condition, resource: inventedPatient() })).toEqual(
        { status: "200", id },
      );
    },
  );

  test.each([
    ["of another server", () => "https://other.example/fhir/Patient?active=true"],
    ["of another type", () => `${base}/RelatedPerson?active=true`],
    ["of nothing", () => `${base}/Patient?_format=json`],
  ])("of a creation is no address of a search %s", async (_whose, conditionOf) => {
    const write: Write = {
      method: "POST",
      type: "Patient",
      condition: conditionOf(),
      resource: inventedPatient(),
    };
    expect(await sent(write)).toMatchObject({ status: "400", codes: ["MPI-015"] });
  });

  test("of a creation is no search of another type", async () => {
    const condition = "RelatedPerson?active=true";
    expect(
      await sent({ method: "POST", type: "Patient", condition, resource: inventedPatient() }),
    ).toMatchObject({
      status: "400",
      codes: ["MPI-015"],
    });
  });

  test.each(['W/"9"', "*"])("that nobody fits creates nothing under If-Match: %s", async (ifMatch) => {
    const id = await stored(inventedPatient());
    const type = "Observation";
    const condition = `patient=Patient/${id}`;
    const resource = marriageOf(`Patient/${id}`);
    expect(await sent({ method: "PUT", type, condition, resource, ifMatch })).toMatchObject({
      status: "412",
    });
    expect(await totalOf(`Observation?${condition}`)).toBe(0);
    const patient = inventedPatient();
    const ofPatient = `identifier=${tokenOf(patient)}`;
    expect(
      await sent({ method: "PUT", type: "Patient", condition: ofPatient, resource: patient, ifMatch }),
    ).toMatchObject({ status: "412" });
    expect(await totalOf(`Patient?${ofPatient}`)).toBe(0);
    expect(await sent({ method: "PUT", type, condition, resource })).toMatchObject({ status: "201" });
  });

  describe("by the identifier of a linked patient", () => {
    it("means the patient that holds it", async () => {
      const { primary, secondary } = await linked();
      for (const { id, patient } of [primary, secondary]) {
        const condition = `identifier=${tokenOf(patient)}`;
        const creation = { method: "POST", type: "Patient", condition, resource: inventedPatient() } as const;
        expect(await sent(creation)).toEqual({ status: "200", id });
        const resource = { ...patient, gender: "other" };
        expect(await sent({ method: "PUT", type: "Patient", condition, resource })).toEqual({
          status: "200",
          id,
        });
      }
    });

    it("means the primary where several of the group hold one of those asked for", async () => {
      const { primary, secondary } = await linked();
      const condition = `patient-identifier=${[primary, secondary].map(({ patient }) => tokenOf(patient)).join(",")}`;
      expect(await sent({ method: "POST", type: "Patient", condition, resource: inventedPatient() })).toEqual(
        { status: "200", id: primary.id },
      );
    });

    it("means the primary, if it fits, where the patient that holds it does not", async () => {
      const { primary, secondary, another } = await linked();
      const creation = { method: "POST", type: "Patient", resource: inventedPatient() } as const;
      const withPrimary = `identifier=${tokenOf(secondary.patient)}&_id=${primary.id},${another.id}`;
      expect(await sent({ ...creation, condition: withPrimary })).toEqual({ status: "200", id: primary.id });
      const others = `identifier=${tokenOf(primary.patient)}&_id=${secondary.id},${another.id}`;
      expect(await sent({ ...creation, condition: others })).toMatchObject({ status: "412" });
    });

    it("means none when another patient fits, too", async () => {
      const { primary, secondary } = await linked();
      const other = inventedPatient();
      await stored(other);
      const tokens = [primary.patient, secondary.patient, other].map(tokenOf).join(",");
      const condition = `patient-identifier=${tokens}`;
      expect(
        await sent({ method: "POST", type: "Patient", condition, resource: inventedPatient() }),
      ).toMatchObject({ status: "412" });
    });
  });
});

describe("a reference by a search, in a transaction", () => {
  const contactOf = async (reference: string) => {
    const { status, json } = await post("", {
      resourceType: "Bundle",
      type: "transaction",
      entry: [{ resource: spouseOf(reference), request: { method: "POST", url: "RelatedPerson" } }],
    });
    return status === 200 ? json.entry[0].resource.patient.reference : doneOf(String(status), json);
  };

  it("says nothing of a result: the reference is refused", async () => {
    await stored(inventedPatient());
    await stored(inventedPatient());
    expect(await contactOf("Patient?deceased=false&_count=1")).toEqual({
      status: "400",
      codes: ["MPI-015"],
      expression: ["Bundle.entry[0].resource.patient"],
    });
  });

  it("by the identifier of a linked patient is to the one that holds it", async () => {
    const { primary, secondary } = await linked();
    for (const { id, patient } of [primary, secondary]) {
      expect(await contactOf(`Patient?identifier=${tokenOf(patient)}`)).toBe(`Patient/${id}`);
    }
  });
});

/** Three patients, two of them linked below the first. */
async function linked() {
  const [primary, secondary, another] = [await storedPatient(), await storedPatient(), await storedPatient()];
  for (const { id } of [secondary, another]) {
    const parameter = [
      { name: "source-patient", valueReference: { reference: `Patient/${id}` } },
      { name: "target-patient", valueReference: { reference: `Patient/${primary.id}` } },
    ];
    expect((await post("/Patient/$link", { resourceType: "Parameters", parameter })).status).toBe(200);
  }
  return { primary, secondary, another };
}

async function storedPatient(): Promise<{ readonly id: string; readonly patient: Json }> {
  const patient = inventedPatient();
  return { id: await stored(patient), patient };
}
