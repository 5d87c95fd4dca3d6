import { expect } from "vitest";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { rule, type Topic } from "../rule.ts";
import { matchesOf, refusal } from "../server.ts";

const SUBSETTED = {
  system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
  code: "SUBSETTED",
};
const language = { coding: [{ system: "urn:ietf:bcp:47", code: "fi" }] };

export const shaping: Topic = {
  title: "_elements, _summary, Prefer: return",
  file: "shaping.ts",
  rules: [
    rule("search.html#elements", "_elements shows these elements, beside id and meta", async (server) => {
      const { id } = await server.storePatient();
      const { json } = await server.ask(`/Patient/${id}?_elements=gender,birthDate`);
      expect(Object.keys(json).sort()).toEqual(["birthDate", "gender", "id", "meta", "resourceType"]);
    }),
    rule(
      "search.html#elements",
      "what R5 requires of a resource is shown whatever _elements and _summary ask for",
      async (server) => {
        const [spouse, marriage] = [await server.storeSpouse(), await server.storeMarriage()];
        for (const asked of ["_elements=gender", "_elements=patient.display", "_summary=text"]) {
          const { json } = await server.ask(`/RelatedPerson/${spouse.id}?${asked}`);
          expect(json.patient).toEqual(spouse["patient"]);
        }
        for (const asked of ["_elements=subject", "_elements=code.text", "_summary=text"]) {
          const { json } = await server.ask(`/Observation/${marriage.id}?${asked}`);
          expect([json.status, json.code]).toEqual([marriage["status"], marriage["code"]]);
        }
      },
    ),
    rule(
      "search.html#elements",
      "an element of which _elements leaves nothing is left out, in lists too",
      async (server) => {
        const { id } = await server.storePatient();
        for (const path of ["identifier.period.end", "name.prefix", "maritalStatus.text"]) {
          const { json } = await server.ask(`/Patient/${id}?_elements=${path}`);
          expect(Object.keys(json).sort()).toEqual(["id", "meta", "resourceType"]);
        }
      },
    ),
    rule("search.html#elements", "what is cut short carries the tag SUBSETTED", async (server) => {
      const { id } = await server.storePatient();
      const [match] = matchesOf(await server.ask(`/Patient?_id=${id}&_elements=gender`));
      for (const cut of [match, (await server.ask(`/Patient/${id}?_summary=true`)).json]) {
        expect(cut.meta.tag).toMatchObject([SUBSETTED]);
      }
      expect((await server.ask(`/Patient/${id}`)).json.meta.tag).toBeUndefined();
    }),
    rule(
      "search.html#elements",
      "a resource that was read cut short is not taken back as the whole one",
      async (server) => {
        const stored = await server.storePatient();
        const cut = (await server.ask(`/Patient/${stored.id}?_summary=true`)).json;
        const answer = await server.put(`/Patient/${stored.id}`, cut);
        expect(refusal(answer)[0]).toBe(400);
        expect(answer.json.issue[0].expression).toEqual(["Patient.meta.tag"]);
      },
    ),
    rule(
      "search.html#_summary",
      "_summary=true shows the elements that R5 marks as summary",
      async (server) => {
        const { id } = await server.storePatient({ communication: [{ language }] });
        const { json } = await server.ask(`/Patient/${id}?_summary=true`);
        expect(Object.keys(json)).not.toContain("communication");
        expect(Object.keys(json)).toEqual(
          expect.arrayContaining(["identifier", "name", "gender", "birthDate"]),
        );
      },
    ),
    rule(
      "search.html#_summary",
      "_summary=data leaves out the narrative, _summary=false nothing",
      async (server) => {
        const { id } = await server.storePatient({ communication: [{ language }] });
        for (const summary of ["data", "false"]) {
          expect((await server.ask(`/Patient/${id}?_summary=${summary}`)).json.communication).toBeDefined();
        }
      },
    ),
    rule("search.html#_summary", "_summary=text shows id, meta and narrative", async (server) => {
      const { id } = await server.storePatient();
      const { json } = await server.ask(`/Patient/${id}?_summary=text`);
      expect(Object.keys(json).sort()).toEqual(["id", "meta", "resourceType"]);
    }),
    rule("search.html#_summary", "another _summary is refused", async (server) => {
      const { id } = await server.storePatient();
      expect((await server.ask(`/Patient/${id}?_summary=short`)).status).toBe(400);
    }),
    rule("http.html#return", "Prefer: return=minimal answers a write without a body", async (server) => {
      const created = await server.post("/Patient", inventedPatient(), { prefer: "return=minimal" });
      expect([created.status, created.text, created.headers.get("etag")]).toEqual([201, "", 'W/"1"']);
      const stored = (await server.ask(created.headers.get("location") ?? "")).json;
      const updated = await server.put(`/Patient/${stored.id}`, stored, { prefer: "return=minimal" });
      expect([updated.status, updated.text, updated.headers.get("etag")]).toEqual([200, "", 'W/"2"']);
    }),
    rule(
      "http.html#return",
      "Prefer: return=representation answers a write with the resource",
      async (server) => {
        const { status, json } = await server.post("/Patient", inventedPatient(), {
          prefer: "return=representation",
        });
        expect([status, json.resourceType]).toEqual([201, "Patient"]);
      },
    ),
    rule(
      "http.html#return",
      "Prefer: return=OperationOutcome answers a write with an OperationOutcome",
      async (server) => {
        const { status, json } = await server.post("/Patient", inventedPatient(), {
          prefer: "return=OperationOutcome",
        });
        expect([status, json.resourceType, json.issue[0].severity]).toEqual([
          201,
          "OperationOutcome",
          "information",
        ]);
      },
    ),
    rule("http.html#return", "a preference that is not known is ignored", async (server) => {
      const { status } = await server.post("/Patient", inventedPatient(), {
        prefer: "return=poetry, wait=10",
      });
      expect(status).toBe(201);
    }),
  ],
};
