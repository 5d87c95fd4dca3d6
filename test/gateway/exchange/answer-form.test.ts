import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../service.ts";
import type { Json } from "../edited-example.ts";
import { schemaFaults } from "../fhir/xml/schema.ts";
import { type HttpRequest, send } from "../http-client.ts";
import { sendXml, XML } from "../xml-client.ts";

const JSON_TYPE = "application/fhir+json; charset=utf-8";

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

describe("the form of an answer", () => {
  test.each([
    ["application/fhir+xml", XML],
    ["application/xml", XML],
    ["application/fhir+json;q=0.5, application/fhir+xml", XML],
    ["application/fhir+xml;q=0.5, application/fhir+json", JSON_TYPE],
    ["application/xml;q=0.9, */*;q=0.8", XML],
    ["*/*;q=0.1, application/fhir+xml", XML],
    ["application/*;q=0.1, application/fhir+xml", XML],
    ["application/fhir+xml, application/fhir+json", XML],
    ["application/fhir+json, application/fhir+xml", JSON_TYPE],
    ["application/json;q=0, */*", JSON_TYPE],
    ["application/fhir+json;q=0, application/json;q=0, */*;q=0.1", XML],
    ["application/fhir+xml; fhirVersion=4.0, application/fhir+json; fhirVersion=5.0;q=0.1", JSON_TYPE],
    ["text/html, application/*", JSON_TYPE],
    ["*/*", JSON_TYPE],
    ["APPLICATION/FHIR+XML", XML],
    ["text/xml", XML],
    ["text/json", JSON_TYPE],
    ["text/json;q=0.5, text/xml", XML],
  ])("Accept: %s", async (accept, type) => {
    const answer = await send(`${base}/metadata`, { headers: { accept } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  });

  test.each(["xml", "text/xml", "application/xml", "application/fhir+xml", "application/fhir%2Bxml", "XML"])(
    "_format=%s outdoes Accept",
    async (format) => {
      const headers = { accept: "application/fhir+json" };
      const answer = await send(`${base}/metadata?_format=${format}`, { headers });
      expect(answer.headers.get("content-type")).toBe(XML);
    },
  );

  test("_pretty indents", async () => {
    const { text } = await send(`${base}/metadata?_format=xml&_pretty=true`);
    expect(text).toContain('\n  <status value="active"/>\n');
    expect(schemaFaults(text)).toEqual([]);
  });

  test.each(["text/turtle", "application/fhir+xml;q=0", "application/fhir+xml; fhirVersion=4.0"])(
    "Accept: %s is not acceptable, and says so in JSON",
    async (accept) => {
      const { status, json } = await send(`${base}/metadata`, { headers: { accept } });
      expect([status, json.issue[0].details.coding[0].code]).toEqual([406, "MPI-400"]);
    },
  );
});

describe("bodies", () => {
  test("in a compression are refused, and what is wrong is said to be that", async () => {
    const headers = {
      "content-type": "application/fhir+json",
      "content-encoding": "gzip",
      "accept-language": "en",
    };
    const {
      status,
      json,
      headers: answered,
    } = await send(`${base}/Patient`, { method: "POST", body: "{}", headers });
    expect([status, answered.get("accept-encoding"), json.issue[0].diagnostics]).toEqual([
      415,
      "identity",
      "The body is compressed by gzip, which is not supported; send it uncompressed.",
    ]);
  });

  test.each(["Identity", ""])(
    "are read where they say to be uncompressed, in letters of any case, or name no coding: %j",
    async (coding) => {
      const headers = { "content-type": "application/fhir+json", "content-encoding": coding };
      const { json } = await send(`${base}/Patient`, { method: "POST", body: "{", headers });
      expect(json.issue[0].details.coding[0].code).toBe("MPI-096");
    },
  );
});

describe("refusals are in the form that was asked for", () => {
  test.each<[what: string, path: string, request: HttpRequest, status: number]>([
    ["of a path", "/Practitioner/1", {}, 404],
    ["of a method", "/Patient/1", { method: "DELETE" }, 405],
    ["of the core", "/Patient/999999", {}, 404],
    ["of an address", "/Patient/%ZZ", {}, 400],
    ["of a parameter", "/Patient?family=X", {}, 400],
    [
      "of a type of body",
      "/Patient",
      { method: "POST", body: "x", headers: { "content-type": "text/plain" } },
      415,
    ],
    [
      "of a character set",
      "/Patient",
      { method: "POST", body: "x", headers: { "content-type": "application/fhir+xml; charset=latin1" } },
      415,
    ],
    ["of an empty body", "/Patient", { method: "POST" }, 400],
    ["of a body", "/Patient", { method: "POST", body: "<Patient/>" }, 400],
    ["of a body that is no XML", "/Patient", { method: "POST", body: "{}" }, 400],
    ["of a body that is too large", "/Patient", { method: "POST", body: " ".repeat(1_100_000) }, 413],
  ])("%s", async (_, path, request, status) => {
    const answer = await sendXml(`${base}${path}`, request);
    expect(answer.status).toBe(status);
    expect(answer.json.resourceType).toBe("OperationOutcome");
    expect(answer.json.issue[0].details.text).not.toBe("");
  });

  test("by _format, where the path is unknown too", async () => {
    const { status, headers } = await send(`${base}/Practitioner/1?_format=xml`);
    expect([status, headers.get("content-type")]).toEqual([404, XML]);
  });

  test("with everything that is wrong, in the words of both codecs", async () => {
    const body = '<Patient xmlns="http://hl7.org/fhir"><nom/><birthDate value="1970-13-01"/></Patient>';
    const { json } = await sendXml(`${base}/Patient`, { method: "POST", body });
    expect(json.issue.map((issue: Json) => issue["expression"])).toEqual([
      ["Patient.nom"],
      ["Patient.birthDate"],
    ]);
  });
});
