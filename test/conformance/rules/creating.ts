import { expect } from "vitest";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { rule, type Topic } from "../rule.ts";
import { refusal, tokenOf } from "../server.ts";

export const creating: Topic = {
  title: "Create, conditional create",
  file: "creating.ts",
  rules: [
    rule(
      "http.html#create",
      "a create answers 201 with a Location that names the version",
      async (server) => {
        const { status, headers, json } = await server.post("/Patient", inventedPatient());
        expect([status, headers.get("location")]).toEqual([
          201,
          `${server.base}/Patient/${json.id}/_history/1`,
        ]);
        expect((await server.ask(headers.get("location") ?? "")).json).toEqual(json);
      },
    ),
    rule(
      "http.html#create",
      "a create answers with ETag and Last-Modified of what was stored",
      async (server) => {
        const { headers, json } = await server.post("/Patient", inventedPatient());
        expect(headers.get("etag")).toBe(`W/"${json.meta.versionId}"`);
        expect(Date.parse(headers.get("last-modified") ?? "")).toBeLessThanOrEqual(
          Date.parse(json.meta.lastUpdated),
        );
      },
    ),
    rule(
      "http.html#create",
      "the server gives the id, versionId and lastUpdated: those of the body are ignored",
      async (server) => {
        const given = inventedPatient();
        const meta = { ...(given["meta"] as object), versionId: "77", lastUpdated: "2001-01-01T00:00:00Z" };
        const { status, json } = await server.post("/Patient", { ...given, id: "999999", meta });
        expect([status, json.id === "999999", json.meta.versionId]).toEqual([201, false, "1"]);
        expect(Date.parse(json.meta.lastUpdated)).toBeGreaterThan(Date.parse("2020-01-01"));
      },
    ),
    rule("http.html#create", "what cannot be parsed is refused with 400", async (server) => {
      for (const body of ["{", "[]", "null", '"Patient"', '{"resourceType":"Patient"']) {
        const answer = await server.ask("/Patient", { method: "POST", body });
        expect([body, answer.status]).toEqual([body, 400]);
        expect(refusal(answer)[0]).toBe(400);
      }
    }),
    rule("http.html#create", "a resource of another type than the path's is refused", async (server) => {
      const answer = await server.post("/Patient", { ...inventedPatient(), resourceType: "RelatedPerson" });
      expect(refusal(answer)[0]).toBe(400);
    }),
    rule(
      "http.html#create",
      "what breaks a rule of the service is refused and not stored",
      async (server) => {
        const given = inventedPatient();
        const { status } = await server.post("/Patient", { ...given, gender: "none" });
        expect(status).toBe(400);
        expect((await server.ask(`/Patient?identifier=${tokenOf(given)}`)).json.total).toBe(0);
      },
    ),
    rule(
      "http.html#create",
      "a create to an address with an id is not offered: 405 with Allow",
      async (server) => {
        const { status, headers } = await server.post("/Patient/1", inventedPatient());
        expect(status).toBe(405);
        expect(headers.get("allow")).toContain("PUT");
      },
    ),
    rule("http.html#ccreate", "If-None-Exist that nobody fits creates: 201", async (server) => {
      const given = inventedPatient();
      const condition = { "if-none-exist": `identifier=${tokenOf(given)}` };
      expect((await server.post("/Patient", given, condition)).status).toBe(201);
    }),
    rule(
      "http.html#ccreate",
      "If-None-Exist that one fits answers 200 with that one, and stores nothing",
      async (server) => {
        const stored = await server.storePatient();
        const condition = { "if-none-exist": `identifier=${tokenOf(stored)}` };
        const { status, json, headers } = await server.post("/Patient", inventedPatient(), condition);
        expect([status, json]).toEqual([200, stored]);
        expect(headers.get("location")).toBe(`${server.base}/Patient/${stored.id}/_history/1`);
      },
    ),
    rule("http.html#ccreate", "If-None-Exist that several fit answers 412", async (server) => {
      await server.storePatient({ birthDate: "1911-01-02" });
      await server.storePatient({ birthDate: "1911-01-02" });
      const condition = { "if-none-exist": "birthdate=1911-01-02" };
      expect(refusal(await server.post("/Patient", inventedPatient(), condition))).toEqual([
        412,
        "multiple-matches",
      ]);
    }),
    rule("http.html#ccreate", "If-None-Exist that is no search is refused", async (server) => {
      for (const condition of ["colour=red", "identifier=", "_id=%zz"]) {
        const answer = await server.post("/Patient", inventedPatient(), { "if-none-exist": condition });
        expect([condition, answer.status]).toEqual([condition, 400]);
      }
    }),
  ],
};
