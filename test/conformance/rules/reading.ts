import { expect } from "vitest";
import { rule, type Topic } from "../rule.ts";
import { refusal } from "../server.ts";

export const reading: Topic = {
  title: "Read, vread, HEAD",
  file: "reading.ts",
  rules: [
    rule("http.html#read", "a read answers 200 with the resource of that type and id", async (server) => {
      const { id } = await server.storePatient();
      const { status, json } = await server.ask(`/Patient/${id}`);
      expect([status, json.resourceType, json.id]).toEqual([200, "Patient", id]);
    }),
    rule("http.html#read", "a read of an id that nobody has answers 404", async (server) => {
      for (const type of ["Patient", "RelatedPerson", "Observation"]) {
        expect(refusal(await server.ask(`/${type}/999999`))).toEqual([404, "not-found"]);
      }
    }),
    rule(
      "http.html#read",
      "an id is that of one type: read as another type it is not found",
      async (server) => {
        const { id } = await server.storeSpouse();
        expect((await server.ask(`/Observation/${id}`)).status).toBe(404);
      },
    ),
    rule(
      "http.html#read",
      "a read answers with an ETag of the version and a Last-Modified",
      async (server) => {
        const { id, meta } = await server.storePatient();
        const { headers } = await server.ask(`/Patient/${id}`);
        expect(headers.get("etag")).toBe(`W/"${meta.versionId}"`);
        expect(Date.parse(headers.get("last-modified") ?? "")).toBe(
          Math.floor(Date.parse(meta.lastUpdated) / 1000) * 1000,
        );
      },
    ),
    rule("http.html#vread", "a vread answers with the version as it was", async (server) => {
      const first = await server.storePatient();
      await server.put(`/Patient/${first.id}`, { ...first, gender: "other" });
      const { status, json, headers } = await server.ask(`/Patient/${first.id}/_history/1`);
      expect([status, json, headers.get("etag")]).toEqual([200, first, 'W/"1"']);
    }),
    rule("http.html#vread", "a vread of a version that never was answers 404", async (server) => {
      const { id } = await server.storePatient();
      for (const version of ["2", "0", "abc"]) {
        expect(refusal(await server.ask(`/Patient/${id}/_history/${version}`))).toEqual([404, "not-found"]);
      }
    }),
    rule("http.html#vread", "a vread of the version that a deletion made answers 410", async (server) => {
      const { id } = await server.storeSpouse();
      await server.ask(`/RelatedPerson/${id}`, { method: "DELETE" });
      expect((await server.ask(`/RelatedPerson/${id}/_history/2`)).status).toBe(410);
      expect((await server.ask(`/RelatedPerson/${id}/_history/1`)).status).toBe(200);
    }),
    rule("http.html#general", "HEAD answers as GET does, without a body", async (server) => {
      const { id } = await server.storePatient();
      for (const path of [
        `/Patient/${id}`,
        `/Patient/${id}/_history/1`,
        `/Patient?_id=${id}`,
        "/Patient/999999",
      ]) {
        const get = await server.ask(path);
        const head = await server.ask(path, { method: "HEAD" });
        expect([head.status, head.text]).toEqual([get.status, ""]);
        for (const name of ["etag", "last-modified", "content-type", "content-length"]) {
          expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
        }
      }
    }),
    rule("http.html#general", "types and ids of paths are told apart by case", async (server) => {
      const { id } = await server.storePatient();
      expect(refusal(await server.ask(`/patient/${id}`))).toEqual([404, "not-found"]);
    }),
    rule(
      "http.html#cread",
      "If-None-Match with the version at hand answers 304 without a body",
      async (server) => {
        const { id } = await server.storePatient();
        for (const tag of ['W/"1"', '"1"', 'W/"7", W/"1"', "*"]) {
          const answer = await server.ask(`/Patient/${id}`, { headers: { "if-none-match": tag } });
          expect([tag, answer.status, answer.text, answer.headers.get("etag")]).toEqual([
            tag,
            304,
            "",
            'W/"1"',
          ]);
        }
      },
    ),
    rule("http.html#cread", "If-None-Match with another version answers 200", async (server) => {
      const { id } = await server.storePatient();
      const answer = await server.ask(`/Patient/${id}`, { headers: { "if-none-match": 'W/"2"' } });
      expect([answer.status, answer.json.id]).toEqual([200, id]);
    }),
    rule(
      "http.html#cread",
      "If-Modified-Since answers 304 when nothing changed since, else 200",
      async (server) => {
        const { id } = await server.storePatient();
        const since = async (value: string) =>
          (await server.ask(`/Patient/${id}`, { headers: { "if-modified-since": value } })).status;
        const { headers } = await server.ask(`/Patient/${id}`);
        expect(await since(headers.get("last-modified") ?? "")).toBe(304);
        expect(await since("Mon, 01 Jan 2001 00:00:00 GMT")).toBe(200);
        expect(await since("some day")).toBe(200);
      },
    ),
    rule("http.html#cread", "If-None-Match goes before If-Modified-Since", async (server) => {
      const { id } = await server.storePatient();
      const { headers } = await server.ask(`/Patient/${id}`);
      const both = { "if-none-match": 'W/"9"', "if-modified-since": headers.get("last-modified") ?? "" };
      expect((await server.ask(`/Patient/${id}`, { headers: both })).status).toBe(200);
    }),
  ],
};
