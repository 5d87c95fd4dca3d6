import { expect } from "vitest";
import type { HttpAnswer } from "../../gateway/http-client.ts";
import { rule, type Topic } from "../rule.ts";
import { FORM, idsOf, linkOf, type Server } from "../server.ts";

/** Five patients of one day, and the search that finds them two at a time. */
async function five(server: Server, birthDate: string): Promise<string> {
  for (let count = 0; count < 5; count += 1) await server.storePatient({ birthDate });
  return `/Patient?birthdate=${birthDate}&_count=2`;
}

async function follow(server: Server, from: HttpAnswer, relation: string): Promise<HttpAnswer[]> {
  const pages = [from];
  for (
    let url = linkOf(from, relation);
    url !== undefined;
    url = linkOf(pages.at(-1) as HttpAnswer, relation)
  ) {
    pages.push(await server.ask(url));
  }
  return pages;
}

export const paging: Topic = {
  title: "Paging, links, fullUrl, totals",
  file: "paging.ts",
  rules: [
    rule(
      "http.html#paging",
      "next links lead through all pages, and show each match once",
      async (server) => {
        const first = await server.ask(await five(server, "1934-01-01"));
        const pages = await follow(server, first, "next");
        expect(pages.map((page) => idsOf(page).length)).toEqual([2, 2, 1]);
        expect(new Set(pages.flatMap(idsOf)).size).toBe(5);
      },
    ),
    rule("http.html#paging", "previous links lead from the last page back to the first", async (server) => {
      const first = await server.ask(await five(server, "1934-01-02"));
      const forth = await follow(server, first, "next");
      const back = await follow(server, forth.at(-1) as HttpAnswer, "previous");
      expect(back.map(idsOf)).toEqual(forth.map(idsOf).toReversed());
    }),
    rule("http.html#paging", "first and last links lead to the first and the last page", async (server) => {
      const first = await server.ask(await five(server, "1934-01-03"));
      const last = await server.ask(linkOf(first, "last") ?? "");
      expect([idsOf(last).length, linkOf(last, "next")]).toEqual([1, undefined]);
      expect(idsOf(await server.ask(linkOf(last, "first") ?? ""))).toEqual(idsOf(first));
    }),
    rule(
      "http.html#paging",
      "every page has the same total: that of the search, not of the page",
      async (server) => {
        const first = await server.ask(await five(server, "1934-01-04"));
        const pages = await follow(server, first, "next");
        expect(pages.map(({ json }) => json.total)).toEqual([5, 5, 5]);
      },
    ),
    rule(
      "search.html#selflink",
      "the self link is a search that finds the same, also of a POST",
      async (server) => {
        const path = await five(server, "1934-01-05");
        const get = await server.ask(path);
        expect(idsOf(await server.ask(linkOf(get, "self") ?? ""))).toEqual(idsOf(get));
        const [, query = ""] = path.split("?");
        const post = await server.ask("/Patient/_search", { method: "POST", headers: FORM, body: query });
        expect(idsOf(await server.ask(linkOf(post, "self") ?? ""))).toEqual(idsOf(get));
      },
    ),
    rule(
      "search.html#selflink",
      "values in links are escaped so that they can be followed",
      async (server) => {
        const value = `Õ&é #+${Date.now()}`;
        const system = "https://fhir.ee/sid/pid/fin/ppn";
        const { id } = await server.storePatient({ identifier: [{ system, value }] });
        const found = await server.ask(`/Patient?identifier=${encodeURIComponent(`${system}|${value}`)}`);
        expect(idsOf(found)).toEqual([id]);
        expect(idsOf(await server.ask(linkOf(found, "self") ?? ""))).toEqual([id]);
      },
    ),
    rule("search.html#count", "_count bounds the matches of a page", async (server) => {
      const path = await five(server, "1934-01-06");
      expect(idsOf(await server.ask(path.replace("_count=2", "_count=3")))).toHaveLength(3);
      expect((await server.ask(path.replace("_count=2", "_count=-1"))).status).toBe(400);
    }),
    rule("search.html#count", "_count=0 answers as _summary=count does: the total alone", async (server) => {
      const path = await five(server, "1934-01-07");
      for (const parameter of ["_count=0", "_summary=count"]) {
        const { json } = await server.ask(path.replace("_count=2", parameter));
        expect([json.type, json.total, json.entry]).toEqual(["searchset", 5, undefined]);
      }
    }),
    rule(
      "search.html#_total",
      "_total is understood, and the total is exact for each of its values",
      async (server) => {
        const path = await five(server, "1934-01-08");
        for (const total of ["none", "estimate", "accurate"]) {
          expect((await server.ask(`${path}&_total=${total}`)).json.total).toBe(5);
        }
        expect((await server.ask(`${path}&_total=roughly`)).status).toBe(400);
      },
    ),
    rule(
      "bundle.html#bundle-unique",
      "each entry has a fullUrl at which its resource is read",
      async (server) => {
        const { json } = await server.ask(await five(server, "1934-01-09"));
        for (const { fullUrl, resource } of json.entry) {
          expect(fullUrl).toBe(`${server.base}/Patient/${resource.id}`);
          expect((await server.ask(fullUrl)).json).toEqual(resource);
        }
      },
    ),
  ],
};
