import { expect } from "vitest";
import { rule, type Topic } from "../rule.ts";
import { linkOf, refusal } from "../server.ts";

export const histories: Topic = {
  title: "History",
  file: "histories.ts",
  rules: [
    rule(
      "http.html#history",
      "a history is a Bundle of type history, newest version first",
      async (server) => {
        const stored = await server.storePatient();
        await server.put(`/Patient/${stored.id}`, stored);
        const { status, json } = await server.ask(`/Patient/${stored.id}/_history`);
        expect([status, json.type, json.total]).toEqual([200, "history", 2]);
        const versions = json.entry.map(
          ({ resource }: { resource: typeof stored }) => resource.meta.versionId,
        );
        expect(versions).toEqual(["2", "1"]);
      },
    ),
    rule("http.html#history", "each entry has the request that made it, and its response", async (server) => {
      const stored = await server.storePatient();
      await server.put(`/Patient/${stored.id}`, stored);
      const { json } = await server.ask(`/Patient/${stored.id}/_history`);
      expect(json.entry).toMatchObject([
        {
          request: { method: "PUT", url: `Patient/${stored.id}` },
          response: { status: "200", etag: 'W/"2"' },
        },
        { request: { method: "POST", url: "Patient" }, response: { status: "201", etag: 'W/"1"' } },
      ]);
      for (const { resource, response } of json.entry) {
        expect(response.lastModified).toBe(resource.meta.lastUpdated);
      }
    }),
    rule("http.html#history", "a deletion is an entry without a resource", async (server) => {
      const { id } = await server.storeSpouse();
      await server.ask(`/RelatedPerson/${id}`, { method: "DELETE" });
      const { json } = await server.ask(`/RelatedPerson/${id}/_history`);
      expect(json.entry[0]).toMatchObject({
        fullUrl: `${server.base}/RelatedPerson/${id}`,
        request: { method: "DELETE", url: `RelatedPerson/${id}` },
        response: { status: "204" },
      });
      expect(json.entry[0].resource).toBeUndefined();
    }),
    rule("http.html#history", "the history of an id that nobody has answers 404", async (server) => {
      expect(refusal(await server.ask("/Patient/999999/_history"))).toEqual([404, "not-found"]);
    }),
    rule("http.html#history", "_count bounds a page, and next leads to the rest", async (server) => {
      const stored = await server.storePatient();
      await server.put(`/Patient/${stored.id}`, stored);
      const first = await server.ask(`/Patient/${stored.id}/_history?_count=1`);
      const second = await server.ask(linkOf(first, "next") ?? "");
      const versionOf = (page: typeof first) =>
        page.json.entry.map((one: { resource: typeof stored }) => one.resource.meta.versionId);
      expect([versionOf(first), versionOf(second), linkOf(second, "next")]).toEqual([
        ["2"],
        ["1"],
        undefined,
      ]);
    }),
    rule("http.html#history", "_since leaves out what is older", async (server) => {
      const { id, meta } = await server.storePatient();
      const total = async (since: string) =>
        (await server.ask(`/Patient/${id}/_history?_since=${encodeURIComponent(since)}`)).json.total;
      const later = new Date(Date.parse(meta.lastUpdated) + 1).toISOString();
      expect([await total(meta.lastUpdated), await total(later)]).toEqual([1, 0]);
      expect((await server.ask(`/Patient/${id}/_history?_since=yesterday`)).status).toBe(400);
    }),
    rule("http.html#history", "the history of a type holds every version of all", async (server) => {
      const one = await server.storePatient();
      const other = await server.storePatient();
      await server.put(`/Patient/${one.id}`, one);
      const { json } = await server.ask("/Patient/_history?_count=3");
      const shown = json.entry.map(
        ({ resource }: { resource: typeof one }) => `${resource.id}/${resource.meta.versionId}`,
      );
      expect(shown).toEqual([`${one.id}/2`, `${other.id}/1`, `${one.id}/1`]);
    }),
    rule(
      "http.html#versioning",
      "the version of an entry is read at the address that its ids make",
      async (server) => {
        const stored = await server.storePatient();
        await server.put(`/Patient/${stored.id}`, stored);
        const { json } = await server.ask(`/Patient/${stored.id}/_history`);
        for (const { fullUrl, resource } of json.entry) {
          expect((await server.ask(`${fullUrl}/_history/${resource.meta.versionId}`)).json).toEqual(resource);
        }
      },
    ),
  ],
};
