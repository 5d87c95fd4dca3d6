import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { trusts } from "../callers.ts";
import { type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";
import { idsIn, type Json, type LargeResources, large, startForLargeResources } from "./large-resources.ts";
import { startGatewayApart } from "./started-gateway.ts";

vi.setConfig({ testTimeout: 600_000 });

const birthDate = "1931-02-03";
/** With a remark of a megabyte and a half. */
const withRemark = (resource: Json) => large(resource, 1_500_000);

let opened: LargeResources;
/** Three patients of that size. */
let ids: string[];

beforeAll(async () => {
  opened = await startForLargeResources(2 * 1024 * 1024);
  ids = [];
  for (let n = 0; n < 3; n++) ids.push(await opened.stored(withRemark(inventedPatient({ birthDate }))));
});

afterAll(() => opened.stop());

describe.each(["together", "apart"] as const)(
  "of a Bundle of requests, through a gateway %s with the core",
  (place) => {
    interface Entry {
      readonly resource?: Json;
      readonly request: { readonly method: string; readonly url: string };
    }
    const sent = (type: "batch" | "transaction", entry: readonly Entry[]) =>
      send(`${opened.origins[place]}/fhir`, {
        method: "POST",
        body: JSON.stringify({ resourceType: "Bundle", type, entry }),
      });
    const read = (): Entry => ({ request: { method: "GET", url: `Patient/${ids[0]}` } });
    const patch = (id = ""): Entry => {
      const operations = [{ op: "add", path: "/language", value: "et" }];
      const data = Buffer.from(JSON.stringify(operations)).toString("base64");
      return {
        resource: { resourceType: "Binary", contentType: "application/json-patch+json", data },
        request: { method: "PATCH", url: `Patient/${id}` },
      };
    };
    const MANY = 40;
    const tooMuch = { code: "too-costly", details: { coding: [{ code: "MPI-027" }] } };

    it("a batch answers reads until there is no more room, and does all writes", async () => {
      const id = await opened.stored(withRemark(inventedPatient()));
      const reads = Array.from({ length: MANY }, read);
      const { status, json, text } = await sent("batch", [...reads, patch(id)]);
      expect(status).toBe(200);
      const answered = (
        json.entry as { resource?: Json; response: { status: string; outcome?: Json } }[]
      ).map(({ resource, response }) => [response.status.slice(0, 3), resource !== undefined]);
      const [good, refused] = [answered.slice(0, 6), answered.slice(12, MANY)];
      expect(good).toEqual(Array(6).fill(["200", true]));
      expect(refused).toEqual(Array(MANY - 12).fill(["400", false]));
      expect(json.entry[MANY - 1].response.outcome.issue).toMatchObject([tooMuch]);
      expect(answered.at(-1)).toEqual(["200", false]);
      expect((await opened.fhir(`Patient/${id}`)).json.language).toBe("et");
      expect(text.length).toBeLessThan(20 * 1024 * 1024);
    });

    it("a transaction that reads too much is refused, where it is too much", async () => {
      const { status, json } = await sent("transaction", Array.from({ length: MANY }, read));
      expect(status).toBe(400);
      expect(json.issue[0]).toMatchObject({ ...tooMuch, expression: ["Bundle.entry[6]"] });
      const few = await sent("transaction", [read(), read()]);
      expect(few.status).toBe(200);
    });

    it("so is one that patches too much", async () => {
      const patients = await Promise.all(
        Array.from({ length: 20 }, () => opened.stored(withRemark(inventedPatient()))),
      );
      const { status, json } = await sent("transaction", patients.map(patch));
      expect(status).toBe(400);
      expect(json.issue[0]).toMatchObject(tooMuch);
      expect(json.issue[0].expression[0]).toMatch(/^Bundle\.entry\[\d+\]/);
      expect((await opened.fhir(`Patient/${patients[0]}`)).json.language).toBeUndefined();
    });
  },
);

it("a body that the gateway takes and the core does not is too large", async () => {
  const generous = await startGatewayApart(`127.0.0.1:${opened.service.grpcPort}`, {
    bodyLimit: 8 * 1024 * 1024,
  });
  trusts(generous.url, opened.service.sandboxUrl);
  const body = JSON.stringify(large(inventedPatient(), 6_000_000));
  const { status, json } = await send(`${generous.url}/fhir/Patient`, { method: "POST", body });
  expect(status).toBe(413);
  expect(json.issue[0].code).toBe("too-long");
  await generous.stop();
});

it("a body of six megabytes is stored where core and gateway apart take eight, as by the gateway together", async () => {
  const generous = await startForLargeResources(8 * 1024 * 1024);
  try {
    for (const origin of Object.values(generous.origins)) {
      const body = JSON.stringify(large(inventedPatient(), 6_000_000));
      const { status } = await send(`${origin}/fhir/Patient`, { method: "POST", body });
      expect(status).toBe(201);
    }
  } finally {
    await generous.stop();
  }
});

describe("what has no pages", () => {
  const pid = "https://fhir.ee/sid/pid";

  const expectTooMuch = ({ status, json }: HttpAnswer) => {
    expect(status).toBe(400);
    expect(json.issue).toMatchObject([{ code: "too-costly", details: { coding: [{ code: "MPI-027" }] } }]);
  };

  it("$foreign refuses more than fits into an answer", async () => {
    expectTooMuch(await opened.fhir("Patient/$foreign?identifier-country=FIN&family=Virtanen"));
    const narrower = await opened.fhir(
      "Patient/$foreign?identifier-country=FIN&family=Virtanen&birthdate=1801-01-01",
    );
    expect(narrower.status).toBe(200);
  });

  it("$lookup too", async () => {
    const value = `LOOKUP${Date.now()}`;
    for (const country of ["fin", "swe", "ltu"]) {
      await opened.stored(
        withRemark(inventedPatient({ identifier: [{ system: `${pid}/${country}/ppn`, value }] })),
      );
    }
    const found = (identifier: string) =>
      opened.fhir(`Patient/$lookup?identifier=${encodeURIComponent(`${identifier}|${value}`)}`);
    expectTooMuch(await found(pid));
    expect(idsIn(await found(`${pid}/swe`))).toHaveLength(1);
  });

  it("$match shows the most likely, as many as fit", async () => {
    const sought = inventedPatient({ birthDate });
    const identifier = [{ system: `${pid}/fin/ppn`, value: `MATCH${Date.now()}` }];
    const same = await opened.stored(withRemark({ ...sought, identifier }));
    const { status, json } = await opened.fhir("Patient/$match", {
      method: "POST",
      body: JSON.stringify({
        resourceType: "Parameters",
        parameter: [{ name: "resource", resource: { ...sought, identifier } }],
      }),
    });
    expect(status).toBe(200);
    expect(json.entry).toHaveLength(2);
    expect(json.entry[0].resource.id).toBe(same);
  });
});
