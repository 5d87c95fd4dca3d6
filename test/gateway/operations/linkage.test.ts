import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

interface Stored {
  readonly id: string;
  readonly identifier: { readonly system: string; readonly value: string };
}

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

describe("Patient/$link and Patient/$unlink", () => {
  it("link by references, answer with the target, and undo it", async () => {
    const [a, b] = [await store(), await store()];
    const linked = await operate("link", [reference("source", a), reference("target", b)]);
    expect(linked.status).toBe(200);
    expect(linked.json).toMatchObject({
      resourceType: "Patient",
      id: b.id,
      link: [{ other: { reference: `Patient/${a.id}` }, type: "replaces" }],
    });
    expect(linked.json.identifier.map(({ value }: Stored["identifier"]) => value)).toEqual([
      b.identifier.value,
      a.identifier.value,
    ]);
    expect(linked.headers.get("etag")).toBe('W/"2"');
    const secondary = await send(`${service.url}/fhir/Patient/${a.id}`);
    expect(secondary.json.link).toEqual([{ other: { reference: `Patient/${b.id}` }, type: "replaced-by" }]);
    const released = await operate("unlink", [reference("source", b), reference("target", a)]);
    expect([released.status, released.json.id, released.json.link]).toEqual([200, a.id, undefined]);
  });

  it("take identifiers, several of one patient, beside a reference, and a logical reference", async () => {
    const [a, b] = [await store(), await store()];
    const linked = await operate("link", [
      identifier("source", a),
      identifier("source", a),
      { name: "target-patient", valueReference: { type: "Patient", identifier: b.identifier } },
    ]);
    expect([linked.status, linked.json.id]).toEqual([200, b.id]);
    const found = await send(
      `${service.url}/fhir/Patient?identifier=${a.identifier.system}|${a.identifier.value}`,
    );
    expect(found.json.total).toBe(2);
    const both = [reference("source", a), identifier("source", a)];
    const released = await operate("unlink", [...both, identifier("target", b)]);
    expect([released.status, released.json.id]).toEqual([200, a.id]);
  });

  it("take the linked patient back as it was read", async () => {
    const [a, b] = [await store(), await store()];
    const { json } = await operate("link", [reference("source", a), reference("target", b)]);
    const put = await send(`${service.url}/fhir/Patient/${b.id}`, {
      method: "PUT",
      body: JSON.stringify({ ...json, birthDate: "1980-02-04" }),
    });
    expect([put.status, put.json.link, put.json.identifier]).toEqual([200, json.link, json.identifier]);
  });

  it("take a patient back as it was read before it was linked below another one, with what is below it", async () => {
    const [a, b, c] = [await store(), await store(), await store()];
    const { json: read } = await operate("link", [reference("source", a), reference("target", b)]);
    await operate("link", [reference("source", b), reference("target", c)]);
    const url = `${service.url}/fhir/Patient/${b.id}`;
    const put = (identifier: object[]) =>
      send(url, { method: "PUT", body: JSON.stringify({ ...read, identifier }) });
    const putBack = await put(read.identifier);
    expect([putBack.status, putBack.json.identifier]).toEqual([200, [b.identifier]]);
    const ofPrimary = await put([...read.identifier, c.identifier]);
    expect(codes(ofPrimary)).toEqual([[409, "MPI-017"]]);
  });

  it("are told to the WM service in the name of whoever asked for them, and with the reason", async () => {
    const [a, b] = [await store(), await store()];
    const issue = encodeURIComponent("üks isik");
    const parameter = [reference("source", a), reference("target", b)];
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    const request = { method: "POST", body, headers: { "x-road-issue": issue } };
    expect((await send(`${service.url}/fhir/Patient/$link`, request)).status).toBe(200);
    const told = async () => {
      const { json } = await send(`${service.sandboxUrl}/sandbox/calls`);
      const calls: { service: string; headers: Record<string, string> }[] = json.calls;
      return calls.find((one) => one.service === "linkages" && one.headers["x-road-issue"] === issue)
        ?.headers;
    };
    await expect.poll(told).toMatchObject({ "x-road-userid": expect.stringMatching(/^EE\d{11}$/) });
  });

  it("are offered by POST alone", async () => {
    for (const operation of ["link", "unlink"]) {
      const { status, headers } = await send(`${service.url}/fhir/Patient/$${operation}`);
      expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("follow the contract of the base path", async () => {
    const [a, b] = [await store(), await store()];
    await operate("link", [reference("source", a), reference("target", b)], "/1.1.1/fhir");
    expect((await send(`${service.url}/fhir/Patient/${a.id}`)).json.active).toBe(false);
    const backwards = [reference("source", b), reference("target", a)];
    expect((await operate("unlink", backwards, "/1.1.1/fhir")).json.active).toBe(true);
    await operate("link", [reference("source", a), reference("target", b)]);
    expect(codes(await operate("unlink", backwards, "/1.1.1/fhir"))).toEqual([[422, "MPI-037"]]);
  });
});

describe("a pair that may not be linked", () => {
  it("is named as the request names it: by the parameter of the reference, or by that of the identifiers", async () => {
    const [a, b, c] = [await store(), await store(), await store()];
    await operate("link", [reference("source", a), reference("target", b)]);
    const again = [identifier("source", a), reference("target", c)];
    const logical = { name: "source-patient", valueReference: { identifier: a.identifier } };
    expect(expressions(await operate("link", [logical, reference("target", c)]))).toEqual([
      [parameter("source-patient")],
    ]);
    expect(expressions(await operate("link", again))).toEqual([[parameter("source-patient-identifier")]]);
    const apart = [reference("source", a), identifier("target", c)];
    expect(expressions(await operate("unlink", apart))).toEqual([
      [parameter("source-patient"), parameter("target-patient-identifier")],
    ]);
    const backwards = [reference("source", b), reference("target", a)];
    expect(expressions(await operate("unlink", backwards, "/1.1.1/fhir"))).toEqual([
      [parameter("target-patient")],
    ]);
  });
});

describe("a patient that is named wrongly", () => {
  const INDEX = "https://mpi.tehik.ee";
  const PID = "https://fhir.ee/sid/pid";
  const named = (name: string, value: object) => ({ name: `target-patient${name}`, ...value });
  const byIdentifier = (system: string, value: string) => [
    named("-identifier", { valueIdentifier: { system, value } }),
  ];

  test.each<[string, object[], number, string]>([
    ["in no way", [], 400, "MPI-078"],
    [
      "by a reference to nobody",
      [named("", { valueReference: { reference: "Patient/999999" } })],
      404,
      "MPI-021",
    ],
    [
      "by a reference to an id of no form",
      [named("", { valueReference: { reference: "Patient/x1" } })],
      404,
      "MPI-021",
    ],
    ["by an identifier of nobody", byIdentifier(`${PID}/fin/ni`, "NOBODY"), 404, "MPI-045"],
    ["by the index's own identifier", byIdentifier(INDEX, "1"), 422, "MPI-056"],
    ["by an unknown system", byIdentifier("https://example.org/id", "1"), 400, "MPI-025"],
    ["by a system of no form", byIdentifier("example", "1"), 400, "MPI-025.01"],
    ["by an invalid personal code", byIdentifier(`${PID}/est/ni`, "38001085710"), 400, "MPI-044"],
    [
      "by a reference to another type",
      [named("", { valueReference: { reference: "Organization/1" } })],
      400,
      "MPI-096",
    ],
    [
      "by a reference that calls the patient something else",
      [named("", { valueReference: { reference: "Patient/1", type: "Practitioner" } })],
      400,
      "MPI-096",
    ],
    ["by a value of another type", [named("", { valueString: "Patient/1" })], 400, "MPI-096"],
    ["by an unknown parameter", [{ name: "patient", valueString: "1" }], 400, "MPI-096"],
  ])("%s", async (_way, parameters, status, code) => {
    const source = await store();
    const answer = await operate("link", [reference("source", source), ...parameters]);
    expect(answer.json.resourceType).toBe("OperationOutcome");
    expect(codes(answer)[0]).toEqual([status, code]);
    expect((await send(`${service.url}/fhir/Patient/${source.id}`)).json.meta.versionId).toBe("1");
  });

  test("by identifiers of several patients", async () => {
    const [a, b, c] = [await store(), await store(), await store()];
    const several = [identifier("target", a), identifier("target", b)];
    expect(codes(await operate("link", [reference("source", c), ...several]))).toEqual([[422, "MPI-046"]]);
    const contradicting = [reference("target", a), identifier("target", b)];
    expect(codes(await operate("link", [reference("source", c), ...contradicting]))).toEqual([
      [422, "MPI-046"],
    ]);
  });

  test("by an identifier of nobody, beside one of somebody or a reference", async () => {
    const [a, b] = [await store(), await store()];
    const ofNobody = byIdentifier(`${PID}/fin/ni`, "NOBODY");
    for (const ofSomebody of [identifier("target", a), reference("target", a)]) {
      const answer = await operate("link", [reference("source", b), ofSomebody, ...ofNobody]);
      expect(codes(answer)).toEqual([[404, "MPI-045"]]);
    }
  });

  test("by the identifier of a reference: it is pointed at where it stands, in the text too", async () => {
    const source = await store();
    const logical = (own: object) => named("", { valueReference: { identifier: own } });
    const ofNobody = await operate("link", [
      reference("source", source),
      logical({ system: `${PID}/fin/ni`, value: "NOBODY" }),
    ]);
    expect(expressions(ofNobody)).toEqual([[parameter("target-patient")]]);
    expect(texts(ofNobody)).toEqual([expect.stringMatching(/\btarget-patient(?!-)/)]);
    const without = logical({ system: `${PID}/fin/ni` });
    const value = `${parameter("target-patient")}.value.identifier.value`;
    for (const others of [[], [identifier("target", source)]]) {
      const answer = await operate("link", [reference("source", source), ...others, without]);
      expect(expressions(answer)).toEqual([[value]]);
      expect(texts(answer)).toEqual([expect.stringContaining(value)]);
    }
  });

  test("and another one too: both are said", async () => {
    expect(codes(await operate("link", []))).toEqual([
      [400, "MPI-078"],
      [400, "MPI-078"],
    ]);
    expect(codes(await operate("link", [], "/1.1.1/fhir"))[0]).toEqual([400, "MPI-015"]);
  });

  test.each<[string, string]>([
    ["no Parameters", JSON.stringify({ resourceType: "Patient" })],
    ["no JSON", "{"],
    ["a parameter that is no object", JSON.stringify({ resourceType: "Parameters", parameter: [1] })],
    ["parameters that are no list", JSON.stringify({ resourceType: "Parameters", parameter: {} })],
    ["an unknown element", JSON.stringify({ resourceType: "Parameters", parameters: [] })],
  ])("in a body with %s", async (_fault, body) => {
    const answer = await send(`${service.url}/fhir/Patient/$link`, { method: "POST", body });
    expect(codes(answer)[0]).toEqual([400, "MPI-096"]);
  });
});

async function store(): Promise<Stored> {
  const { json } = await send(`${service.url}/fhir/Patient`, {
    method: "POST",
    body: JSON.stringify(inventedPatient()),
  });
  return { id: json.id, identifier: json.identifier[0] };
}

function reference(side: string, { id }: Stored): object {
  return { name: `${side}-patient`, valueReference: { reference: `Patient/${id}` } };
}

function parameter(name: string): string {
  return `Parameters.parameter.where(name='${name}')`;
}

function expressions({ json }: HttpAnswer): string[][] {
  return json.issue.map(({ expression }: { expression: string[] }) => expression);
}

function texts({ json }: HttpAnswer): string[] {
  return json.issue.map(({ details }: { details: { text: string } }) => details.text);
}

function identifier(side: string, { identifier: valueIdentifier }: Stored): object {
  return { name: `${side}-patient-identifier`, valueIdentifier };
}

function operate(operation: string, parameter: object[], base = "/fhir"): Promise<HttpAnswer> {
  const body = JSON.stringify({ resourceType: "Parameters", ...(parameter.length > 0 && { parameter }) });
  return send(`${service.url}${base}/Patient/$${operation}`, { method: "POST", body });
}

/** Status and code of each issue. */
function codes({ status, json }: HttpAnswer): [number, string][] {
  return json.issue.map((issue: { details: { coding: [{ code: string }] } }) => [
    status,
    issue.details.coding[0].code,
  ]);
}
