import { expect } from "vitest";
import { marriageOf, spouseOf } from "../../gateway/family.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { operation, parameters } from "../../gateway/patch/patch-parameters.ts";
import { rule, type Topic } from "../rule.ts";
import type { Json, Server, Stored } from "../server.ts";

const decimals = ["1.50", "1e2", "0.10", "-0.00", "100", "1.0E-3", "123456789012345678.12345678901234567"];
const WEIGHT = "https://example.org/weight";

/** A patient with all of them. */
async function withDecimals(server: Server): Promise<Stored> {
  const extension = decimals.map((text) => ({ url: WEIGHT, valueDecimal: JSON.rawJSON(text) }));
  return server.storePatient({ extension });
}

/** The decimals of a text of JSON or XML, as they are written there. */
function decimalsIn(text: string): string[] {
  return [...text.matchAll(/valueDecimal(?:": ?| value=")([^",}]+)/g)].map(([, decimal = ""]) => decimal);
}

const unknown = (depth: number): Json =>
  depth === 0
    ? { url: "https://example.org/leaf", valueString: "deep" }
    : { url: `https://example.org/level-${depth}`, extension: [unknown(depth - 1)] };

/** Unknown extensions in a resource, in a datatype, on primitives, and nested. */
const extended = (): Json => ({
  extension: [
    unknown(6),
    { url: "https://example.org/period", valuePeriod: { start: "2020", extension: [unknown(1)] } },
  ],
  birthDate: "1980-02-03",
  _birthDate: { id: "b1", extension: [unknown(2)] },
  name: [
    {
      use: "official",
      family: "Virtanen",
      _family: { extension: [unknown(0)] },
      given: ["Aino", "Maija"],
      _given: [null, { extension: [unknown(1)] }],
      period: { start: "1990", _start: { extension: [unknown(0)] } },
    },
  ],
});

/** The resource as every way of reading shows it; each must be the same. */
async function everyReading(server: Server, { resourceType, id, meta }: Stored): Promise<Json[]> {
  const path = `/${resourceType}/${id}`;
  const history = (await server.ask(`${path}/_history`)).json.entry;
  const batch = { resourceType: "Bundle", type: "batch", entry: [{ request: { method: "GET", url: path } }] };
  return [
    (await server.ask(path)).json,
    (await server.ask(`${path}/_history/${meta.versionId}`)).json,
    (await server.askXml(path)).json,
    history[0].resource,
    (await server.post("", batch)).json.entry[0].resource,
  ];
}

async function expectKept(server: Server, stored: Stored, given: Json): Promise<void> {
  expect(stored).toMatchObject(given);
  for (const shown of await everyReading(server, stored)) expect(shown).toEqual(stored);
}

export const keeping: Topic = {
  title: "JSON: decimals, extensions, contained resources",
  file: "keeping.ts",
  rules: [
    rule(
      "datatypes.html#decimal",
      "decimals keep their precision and form: created, read, in histories and searches",
      async (server) => {
        const { id } = await withDecimals(server);
        for (const path of [
          `/Patient/${id}`,
          `/Patient/${id}/_history/1`,
          `/Patient/${id}/_history`,
          `/Patient?_id=${id}`,
        ]) {
          expect([path, decimalsIn((await server.ask(path)).text)]).toEqual([path, decimals]);
        }
      },
    ),
    rule("datatypes.html#decimal", "decimals are the same in XML, both ways", async (server) => {
      const { id } = await withDecimals(server);
      const headers = { accept: "application/fhir+xml", "content-type": "application/fhir+xml" };
      const xml = await server.ask(`/Patient/${id}`, { headers });
      expect(decimalsIn(xml.text)).toEqual(decimals);
      const back = await server.ask(`/Patient/${id}`, { method: "PUT", headers, body: xml.text });
      expect([back.status, decimalsIn(back.text)]).toEqual([200, decimals]);
      expect(decimalsIn((await server.ask(`/Patient/${id}`)).text)).toEqual(decimals);
    }),
    rule(
      "datatypes.html#decimal",
      "a patch of something else leaves decimals as they are, and sets them as written",
      async (server) => {
        const { id } = await withDecimals(server);
        const headers = { "content-type": "application/json-patch+json" };
        const body = `[{"op":"replace","path":"/gender","value":"other"},{"op":"replace","path":"/extension/0/valueDecimal","value":2.500}]`;
        const { status, text } = await server.ask(`/Patient/${id}`, { method: "PATCH", headers, body });
        expect([status, decimalsIn(text)]).toEqual([200, ["2.500", ...decimals.slice(1)]]);
        const byPath = JSON.stringify(
          parameters(operation("replace", { path: "Patient.gender", value: { valueCode: "unknown" } })),
        );
        const again = await server.ask(`/Patient/${id}`, { method: "PATCH", body: byPath });
        expect([again.status, decimalsIn(again.text)]).toEqual([200, ["2.500", ...decimals.slice(1)]]);
      },
    ),
    rule(
      "datatypes.html#decimal",
      "a batch and a transaction keep decimals as they were written",
      async (server) => {
        for (const type of ["batch", "transaction"]) {
          const extension = decimals.map((text) => ({ url: WEIGHT, valueDecimal: JSON.rawJSON(text) }));
          const entry = [
            { resource: inventedPatient({ extension }), request: { method: "POST", url: "Patient" } },
          ];
          const { text } = await server.post("", { resourceType: "Bundle", type, entry });
          expect([type, decimalsIn(text)]).toEqual([type, decimals]);
        }
      },
    ),
    rule(
      "extensibility.html#Extension",
      "extensions that nobody knows are kept at any depth, however they are read",
      async (server) => {
        const given = extended();
        await expectKept(server, await server.storePatient(given), given);
      },
    ),
    rule("extensibility.html#Extension", "an update and a patch keep them", async (server) => {
      const given = extended();
      const stored = await server.storePatient(given);
      const updated = (await server.put(`/Patient/${stored.id}`, { ...stored, gender: "other" })).json;
      await expectKept(server, updated, given);
      const patched = await server.patch(`/Patient/${stored.id}`, [
        { op: "replace", path: "/gender", value: "unknown" },
      ]);
      await expectKept(server, patched.json, given);
    }),
    rule(
      "extensibility.html#Extension",
      "an extension has a value or extensions, not both and not neither",
      async (server) => {
        const url = "https://example.org/x";
        const both = { url, valueString: "x", extension: [{ url, valueString: "y" }] };
        for (const extension of [{ url }, both]) {
          const { status, json } = await server.post("/Patient", inventedPatient({ extension: [extension] }));
          expect([status, json.issue[0].expression[0]]).toEqual([
            400,
            expect.stringMatching(/^Patient\.extension\[0\]/),
          ]);
        }
      },
    ),
    rule("extensibility.html#Extension", "an extension without a URL is refused", async (server) => {
      const extension = [{ valueString: "x" }];
      expect((await server.post("/Patient", inventedPatient({ extension }))).status).toBe(400);
    }),
    rule(
      "json.html#primitive",
      "an extension of a primitive stands beside it, in a property with an underscore",
      async (server) => {
        const given = { _gender: { extension: [unknown(0)] }, gender: "female" };
        await expectKept(server, await server.storePatient(given), given);
      },
    ),
    rule(
      "json.html#null",
      "in lists of primitives null stands for what is missing, and both lists are as long",
      async (server) => {
        const name = [
          {
            use: "official",
            family: "Virtanen",
            given: ["Aino", null],
            _given: [null, { extension: [unknown(0)] }],
          },
        ];
        await expectKept(server, await server.storePatient({ name }), { name });
        const short = [{ ...name[0], _given: [{ extension: [unknown(0)] }] }];
        expect((await server.post("/Patient", inventedPatient({ name: short }))).status).toBe(400);
      },
    ),
    rule("json.html#null", "null, empty texts, empty lists and empty objects are refused", async (server) => {
      for (const wrong of [
        { gender: null },
        { gender: "" },
        { telecom: [] },
        { name: [{}] },
        { active: {} },
      ]) {
        expect([wrong, (await server.post("/Patient", inventedPatient(wrong))).status]).toEqual([wrong, 400]);
      }
    }),
    rule("json.html", "a property twice in an object is refused", async (server) => {
      const text = JSON.stringify(inventedPatient()).replace(
        '"gender":"female"',
        '"gender":"female","gender":"male"',
      );
      expect((await server.ask("/Patient", { method: "POST", body: text })).status).toBe(400);
    }),
    rule("json.html", "the order of properties means nothing", async (server) => {
      const reversed = Object.fromEntries(Object.entries(inventedPatient()).reverse());
      expect((await server.post("/Patient", reversed)).status).toBe(201);
    }),
    rule(
      "references.html#contained",
      "contained resources are kept with their ids, and referred to by #id",
      async (server) => {
        const { id } = await server.storePatient();
        const { resourceType, identifier, name } = await server.store(spouseOf(`Patient/${id}`));
        const patient = { reference: `Patient/${id}` };
        const contained = [{ resourceType, id: "other", identifier, patient, name, extension: [unknown(2)] }];
        const marriage = { contained, focus: [{ reference: "#other" }] };
        const stored = await server.store(marriageOf(`Patient/${id}`, marriage));
        await expectKept(server, stored, marriage);
      },
    ),
  ],
};
