import { expect } from "vitest";
import { writeXml } from "../../../gateway/fhir/index.ts";
import { fetchAs } from "../../callers.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { XML } from "../../gateway/xml-client.ts";
import { rule, type Topic } from "../rule.ts";
import { refusal } from "../server.ts";

const JSON_TYPE = "application/fhir+json; charset=utf-8";
const PORTAL = "https://portal.example.ee";

/** Settings of the service that these rules need. */
export const allowedOrigins: readonly string[] = [PORTAL];

export const negotiating: Topic = {
  title: "Formats, negotiation, compression, browsers",
  file: "negotiating.ts",
  rules: [
    rule(
      "http.html#mime-type",
      "Accept decides between JSON and XML, by its quality values",
      async (server) => {
        const expected = {
          "application/fhir+json": JSON_TYPE,
          "application/json": JSON_TYPE,
          "application/fhir+xml": XML,
          "application/xml": XML,
          "application/fhir+json;q=0.1, application/fhir+xml;q=0.9": XML,
          "*/*": JSON_TYPE,
        };
        for (const [accept, type] of Object.entries(expected)) {
          const { headers } = await server.ask("/metadata", { headers: { accept } });
          expect([accept, headers.get("content-type")]).toEqual([accept, type]);
        }
      },
    ),
    rule("http.html#mime-type", "an Accept that cannot be met answers 406", async (server) => {
      for (const accept of ["text/turtle", "image/png", "application/fhir+json; fhirVersion=3.0"]) {
        const answer = await server.ask("/metadata", { headers: { accept } });
        expect([accept, answer.status]).toEqual([accept, 406]);
        refusal(answer);
      }
    }),
    rule("http.html#mime-type", "a body in a form that is not understood answers 415", async (server) => {
      for (const type of ["text/plain", "application/fhir+turtle", "application/fhir+json; charset=latin1"]) {
        const answer = await server.post("/Patient", inventedPatient(), { "content-type": type });
        expect([type, answer.status]).toEqual([type, 415]);
      }
    }),
    rule("http.html#mime-type", "the version of FHIR may be named, as long as it is 5.0", async (server) => {
      const of = (version: string) => ({ "content-type": `application/fhir+json; fhirVersion=${version}` });
      expect((await server.post("/Patient", inventedPatient(), of("5.0"))).status).toBe(201);
      expect((await server.post("/Patient", inventedPatient(), of("4.0"))).status).toBe(415);
    }),
    rule("http.html#parameters", "_format goes before Accept", async (server) => {
      for (const [format, type] of [
        ["xml", XML],
        ["application/fhir%2Bxml", XML],
        ["json", JSON_TYPE],
      ]) {
        const { headers } = await server.ask(`/metadata?_format=${format}`, {
          headers: { accept: "text/html" },
        });
        expect([format, headers.get("content-type")]).toEqual([format, type]);
      }
    }),
    rule("http.html#parameters", "_pretty changes white space alone", async (server) => {
      const { id } = await server.storePatient();
      const plain = await server.ask(`/Patient/${id}`);
      const pretty = await server.ask(`/Patient/${id}?_pretty=true`);
      expect(pretty.json).toEqual(plain.json);
      expect(pretty.text.split("\n").length).toBeGreaterThan(plain.text.split("\n").length);
    }),
    rule(
      "http.html#mime-type",
      "what goes in as XML comes out as JSON, and the other way round",
      async (server) => {
        const body = writeXml(inventedPatient() as Parameters<typeof writeXml>[0]);
        const { status, json } = await server.askXml("/Patient", { method: "POST", body });
        expect(status).toBe(201);
        const asJson = await server.ask(`/Patient/${json.id}`);
        expect(asJson.json).toEqual(json);
        expect((await server.askXml(`/Patient/${json.id}`)).json).toEqual(json);
      },
    ),
    rule("http.html#mime-type", "refusals come in the form that was asked for", async (server) => {
      const { status, json } = await server.askXml("/Patient/999999");
      expect([status, json.resourceType]).toEqual([404, "OperationOutcome"]);
    }),
    rule("http.html#general", "an answer is compressed for those who take gzip", async (server) => {
      const plain = await server.ask("/metadata", { headers: { "accept-encoding": "identity" } });
      expect(plain.headers.get("content-encoding")).toBeNull();
      const gzip = await server.ask("/metadata", { headers: { "accept-encoding": "gzip" } });
      expect([gzip.headers.get("content-encoding"), gzip.text]).toEqual(["gzip", plain.text]);
      expect(gzip.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
    }),
    rule(
      "security.html",
      "a page of an origin that is allowed may read answers and their headers",
      async (server) => {
        const { headers } = await server.ask("/metadata", { headers: { origin: PORTAL } });
        expect(headers.get("access-control-allow-origin")).toBe(PORTAL);
        expect(headers.get("access-control-expose-headers")?.toLowerCase()).toContain("etag");
      },
    ),
    rule("security.html", "a preflight says which methods and headers are allowed", async (server) => {
      const { status, headers } = await server.ask("/Patient/1", {
        method: "OPTIONS",
        headers: {
          origin: PORTAL,
          "access-control-request-method": "PUT",
          "access-control-request-headers": "if-match",
        },
        as: "nobody",
      });
      expect([status, headers.get("access-control-allow-origin")]).toEqual([204, PORTAL]);
      expect(headers.get("access-control-allow-methods")).toContain("PUT");
      expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("if-match");
    }),
    rule("security.html", "a page of another origin may not", async (server) => {
      const { headers } = await server.ask("/metadata", { headers: { origin: "https://else.example" } });
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }),
    rule(
      "http.html#security",
      "what is not a caller's to see is refused with 401, and says how to ask",
      async (server) => {
        const response = await fetchAs(`${server.base}/Patient/1`, {}, "nobody");
        expect([response.status, response.headers.get("www-authenticate")]).toEqual([
          401,
          expect.stringMatching(/^Bearer/),
        ]);
        expect((await server.ask("/Patient/1", { as: "nobody" })).json.resourceType).toBe("OperationOutcome");
      },
    ),
    rule("security.html#http", "answers with patients' data are not to be kept by caches", async (server) => {
      const { id } = await server.storePatient();
      expect((await server.ask(`/Patient/${id}`)).headers.get("cache-control")).toContain("no-store");
    }),
    rule("http.html#custom", "the id of a request comes back as X-Request-Id", async (server) => {
      const { headers } = await server.ask("/metadata", {
        headers: { "x-request-id": "r-17" },
        as: "nobody",
      });
      expect(headers.get("x-request-id")).toBe("r-17");
    }),
  ],
};
