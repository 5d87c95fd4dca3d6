import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

const BASE = "https://fhir.ee/sid/pid";
const FINLAND = "urn:oid:1.3.6.1.4.1.28284.6.2.2.16.246";

let service: RunningService;
/** Holder of a Finnish national code, and of a Finnish licence of the same number. */
let ids: { readonly code: string; readonly licence: string };

beforeAll(async () => {
  service = await startService();
  ids = { code: await create(`${BASE}/fin/ni`), licence: await create(`${BASE}/fin/dl`) };
});

afterAll(() => service.stop());

describe("a search by identifier over HTTP", () => {
  it.each([
    ["an exact system", `${BASE}/fin/ni|SAME-1`, ["code"]],
    ["any document of a country", `${BASE}/fin|SAME-1`, ["code", "licence"]],
    ["any document anywhere", `${BASE}|SAME-1`, ["code", "licence"]],
    ["the OID of a system", `${FINLAND}.2|SAME-1`, ["code"]],
    ["the OID of a country", `${FINLAND}|SAME-1`, ["code", "licence"]],
    ["another country", `${BASE}/swe|SAME-1`, []],
    ["another case", `${BASE}/fin/ni|same-1`, []],
  ] as const)("finds by %s", async (_what, token, expected) => {
    const found = expected.map((name) => ids[name]);
    for (const separator of ["%7C", "|"]) {
      const query = token.replace("|", separator);
      const { status, json } = await send(
        `${service.url}/fhir/Patient?identifier=${query}&_sort=_lastUpdated`,
      );
      expect(status).toBe(200);
      expect(json.total).toBe(found.length);
      expect((json.entry ?? []).map((entry: { resource: { id: string } }) => entry.resource.id)).toEqual(
        found,
      );
    }
  });
});

describe("an identifier with signs that mean something in a search", () => {
  const system = `${BASE}/est/prn/90006399/maja,2$`;
  const value = "A,B|C$D\\\\,E";
  const escaped = `${system}|${value}`.replace(/[\\,$]/g, "\\$&");

  it("is found where they are escaped, and as it is by an Identifier of an operation", async () => {
    const id = await create(system, value);
    const found = await send(`${service.url}/fhir/Patient?identifier=${encodeURIComponent(escaped)}`);
    expect(found.json.entry.map((entry: { resource: { id: string } }) => entry.resource.id)).toEqual([id]);
    const parameter = [{ name: "identifier", valueIdentifier: { system, value } }];
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    const { json } = await send(`${service.url}/fhir/Patient/$lookup`, { method: "POST", body });
    expect(json.entry?.map((entry: { resource: { id: string } }) => entry.resource.id)).toEqual([id]);
  });
});

async function create(system: string, value = "SAME-1"): Promise<string> {
  const body = JSON.stringify(inventedPatient({ identifier: [{ system, value }] }));
  const { status, json } = await send(`${service.url}/fhir/Patient`, { method: "POST", body });
  expect(status).toBe(201);
  return json.id;
}
