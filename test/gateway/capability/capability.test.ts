import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

let service: RunningService;
let base: string;
let patient: HttpAnswer;
let statement: CapabilityStatement;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
  patient = await send(`${base}/Patient`, { method: "POST", body: JSON.stringify(inventedPatient()) });
  statement = (await send(`${base}/metadata`)).json;
});

afterAll(() => service.stop());

interface CapabilityStatement {
  readonly resourceType: string;
  readonly fhirVersion: string;
  readonly format: readonly string[];
  readonly patchFormat: readonly string[];
  readonly implementation: { readonly url: string };
  readonly rest: readonly [{ readonly mode: string; readonly resource: readonly Capability[] }];
}

interface Capability {
  readonly type: string;
  readonly interaction: readonly { readonly code: string }[];
  readonly searchParam?: readonly { readonly name: string; readonly type: string }[];
  readonly conditionalCreate: boolean;
  readonly conditionalUpdate: boolean;
  readonly versioning: string;
  readonly conditionalRead: string;
}

function capabilityOf(type: string): Capability {
  const found = statement.rest[0].resource.find((resource) => resource.type === type);
  if (!found) throw new Error(`${type} is not in the CapabilityStatement`);
  return found;
}

/** A request for each interaction of Patient, and what it is answered with when it is offered. */
const exercises: Readonly<Record<string, () => Promise<number>>> = {
  read: async () => (await send(`${base}/Patient/${patient.json.id}`)).status,
  vread: async () => (await send(`${base}/Patient/${patient.json.id}/_history/1`)).status,
  update: async () => {
    const request = { method: "PUT", body: patient.text };
    return (await send(`${base}/Patient/${patient.json.id}`, request)).status;
  },
  patch: async () => {
    const headers = { "content-type": "application/json-patch+json" };
    return (await send(`${base}/Patient/${patient.json.id}`, { method: "PATCH", body: "[]", headers }))
      .status;
  },
  delete: async () => (await send(`${base}/Patient/${patient.json.id}`, { method: "DELETE" })).status,
  create: async () => {
    const request = { method: "POST", body: JSON.stringify(inventedPatient()) };
    return (await send(`${base}/Patient`, request)).status;
  },
  "history-instance": async () => (await send(`${base}/Patient/${patient.json.id}/_history`)).status,
  "history-type": async () => (await send(`${base}/Patient/_history`)).status,
  "search-type": async () => (await send(`${base}/Patient?_id=${patient.json.id}`)).status,
};

describe("the CapabilityStatement", () => {
  test("is of R5, of this server, in JSON and XML", () => {
    expect(statement).toMatchObject({
      resourceType: "CapabilityStatement",
      status: "active",
      kind: "instance",
      fhirVersion: "5.0.0",
      implementation: { url: base },
      rest: [{ mode: "server" }],
    });
    expect(statement.format).toEqual([
      ...["json", "xml", "application/fhir+json", "application/json"],
      ...["application/fhir+xml", "application/xml"],
    ]);
    expect(statement.patchFormat).toEqual([
      ...["application/json-patch+json", "application/fhir+json", "application/fhir+xml"],
    ]);
  });

  test.each(Object.entries(exercises))("is right about %s of Patient", async (code, exercise) => {
    const isOffered = capabilityOf("Patient").interaction.some((interaction) => interaction.code === code);
    const status = await exercise();
    expect(status).toSatisfy((given: number) => (isOffered ? given < 300 : given === 405));
  });

  test("offers nothing of Patient that is not known here", () => {
    const codes = capabilityOf("Patient").interaction.map(({ code }) => code);
    expect(codes.filter((code) => exercises[code] === undefined)).toEqual([]);
  });

  test("names search parameters that are understood, and no others are", async () => {
    const values: Readonly<Record<string, string>> = {
      token: "true",
      date: "2000-01-01",
    };
    const tokens = "https://fhir.ee/sid/pid/fin/ppn|X1";
    for (const { name, type } of capabilityOf("Patient").searchParam ?? []) {
      const value = name.includes("identifier") ? tokens : (values[type] ?? "1");
      const query =
        name === "external-system-presence"
          ? `_id=1&${name}=${encodeURIComponent(defaultErrorSystems.RR)}`
          : `${name}=${encodeURIComponent(value)}`;
      const { status } = await send(`${base}/Patient?${query}`);
      expect([name, status]).toEqual([name, 200]);
    }
    expect((await send(`${base}/Patient?family=Virtanen`)).status).toBe(400);
  });

  test("is right about conditional create and update", async () => {
    const { conditionalCreate, conditionalUpdate } = capabilityOf("Patient");
    const criteria = `_id=${patient.json.id}`;
    const body = JSON.stringify(inventedPatient());
    const created = await send(`${base}/Patient`, {
      method: "POST",
      body,
      headers: { "if-none-exist": criteria },
    });
    expect(created.status === 200).toBe(conditionalCreate);
    const updated = await send(`${base}/Patient?${criteria}`, { method: "PUT", body: patient.text });
    expect(updated.status === 200).toBe(conditionalUpdate);
  });

  test("is right about which types have versions", async () => {
    for (const { type, versioning, conditionalRead, interaction } of statement.rest[0].resource) {
      const isVersioned = interaction.some(({ code }) => code === "vread");
      const { json } = await send(`${base}/${type}/999999/_history/1`);
      expect(json.issue[0].details.coding[0].code === "MPI-400").toBe(!isVersioned);
      expect([versioning, conditionalRead]).toEqual(
        isVersioned ? ["versioned", "full-support"] : ["no-version", "not-supported"],
      );
    }
  });

  test("says under each base path which contract it is of", async () => {
    const versions = await Promise.all(
      ["/fhir", "/1.5.0/fhir", "/1.1.1/fhir"].map(
        async (basePath) => (await send(`${service.url}${basePath}/metadata`)).json,
      ),
    );
    expect(versions.map(({ version }) => version)).toEqual(["1.5.0", "1.5.0", "1.1.1"]);
    expect(versions.map(({ implementation }) => implementation.url)).toEqual(
      ["/fhir", "/1.5.0/fhir", "/1.1.1/fhir"].map((basePath) => `${service.url}${basePath}`),
    );
  });

  test("names no code that its contract does not have", async () => {
    const { text } = await send(`${service.url}/1.1.1/fhir/metadata`);
    const absent = ["MPI-403", "MPI-052", "MPI-072", "MPI-096"];
    expect(absent.filter((code) => text.includes(code))).toEqual([]);
  });
});
