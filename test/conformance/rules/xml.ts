import { expect } from "vitest";
import { type FhirJson, writeXml } from "../../../gateway/fhir/index.ts";
import type { HttpAnswer } from "../../gateway/http-client.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { rule, type Topic } from "../rule.ts";
import { refusal, type Server } from "../server.ts";

const HEADERS = { "content-type": "application/fhir+xml" };

const patientXml = () => writeXml(inventedPatient() as FhirJson);

function postXml(server: Server, body: string): Promise<HttpAnswer> {
  return server.ask("/Patient", { method: "POST", headers: HEADERS, body });
}

export const xml: Topic = {
  title: "XML",
  file: "xml.ts",
  rules: [
    rule("xml.html", "answers in XML are valid by the schema of R5", async (server) => {
      const { id } = await server.storePatient();
      for (const path of [`/Patient/${id}`, `/Patient/${id}/_history`, `/Patient?_id=${id}`, "/metadata"]) {
        expect((await server.askXml(path)).status).toBe(200);
      }
    }),
    rule(
      "xml.html",
      "elements stand in the order of the definition: another order is refused",
      async (server) => {
        const text = patientXml().replace(/(<gender[^>]*>)(<birthDate[^>]*>)/, "$2$1");
        expect(refusal(await postXml(server, text))[0]).toBe(400);
      },
    ),
    rule(
      "xml.html",
      "elements are of the namespace http://hl7.org/fhir, whatever its prefix",
      async (server) => {
        const text = patientXml();
        const prefixed = text.replace(/<(\/?)(\w)/g, "<$1f:$2").replace("xmlns=", "xmlns:f=");
        expect((await postXml(server, prefixed)).status).toBe(201);
        expect((await postXml(server, text.replace("http://hl7.org/fhir", "urn:other"))).status).toBe(400);
      },
    ),
    rule("xml.html", "a document type or an entity of one's own is refused", async (server) => {
      const text = patientXml();
      const declared = text.replace("<Patient", '<!DOCTYPE Patient [<!ENTITY e "x">]><Patient');
      expect(refusal(await postXml(server, declared))[0]).toBe(400);
      expect((await postXml(server, text.replace("Virtanen", "&e;"))).status).toBe(400);
    }),
    rule("xml.html", "comments and white space between elements mean nothing", async (server) => {
      const { status, json } = await postXml(server, patientXml().replaceAll("><", ">\n <!-- x --> <"));
      expect([status, json.gender]).toEqual([201, "female"]);
    }),
    rule(
      "xml.html",
      "unknown elements and attributes, and text between elements, are refused",
      async (server) => {
        const text = patientXml();
        for (const [from, to] of [
          ["<gender", "<colour/><gender"],
          ["<gender value=", '<gender colour="red" value='],
          ["<gender", "text<gender"],
        ] as const) {
          expect([to, (await postXml(server, text.replace(from, to))).status]).toEqual([to, 400]);
        }
      },
    ),
    rule(
      "xml.html",
      "characters beyond ASCII and the five entities come back as they were",
      async (server) => {
        const family = `Õun & <Söhn> "ž" 'š' 👩🏽 ${"x".repeat(50)}`;
        const { id } = await server.storePatient({ name: [{ use: "official", family, given: ["Aino"] }] });
        const { json, text } = await server.askXml(`/Patient/${id}`);
        expect(json.name[0].family).toBe(family);
        const back = await server.askXml(`/Patient/${id}`, { method: "PUT", body: text });
        expect([back.status, back.json.name[0].family]).toEqual([200, family]);
      },
    ),
    rule("xml.html", "what is not well-formed is refused", async (server) => {
      for (const text of ["<Patient", "<Patient></Person>", "", "{}", "<a/><b/>"]) {
        expect([text, (await postXml(server, text)).status]).toEqual([text, 400]);
      }
    }),
  ],
};
