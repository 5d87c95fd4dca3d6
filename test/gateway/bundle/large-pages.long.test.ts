import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import {
  idsIn,
  type Json,
  type LargeResources,
  large,
  linkOf,
  pagesFrom,
  startForLargeResources,
  versionsIn,
} from "../large-resources.ts";

vi.setConfig({ testTimeout: 600_000 });

const MEGABYTE = 1_000_000;
const birthDate = "1931-02-03";

let opened: LargeResources;
/** Seven patients of a megabyte each, in the order in which they were stored. */
let ids: string[];

beforeAll(async () => {
  opened = await startForLargeResources(6 * 1024 * 1024);
  ids = [];
  for (let n = 0; n < 7; n++) ids.push(await opened.stored(large(inventedPatient({ birthDate }), MEGABYTE)));
});

afterAll(() => opened.stop());

describe.each(["together", "apart"] as const)("through a gateway %s with the core", (place) => {
  const found = (query: string) =>
    `${opened.origins[place]}/fhir/Patient?birthdate=${birthDate}&_sort=_lastUpdated&${query}`;

  it.each(["", "_count=100", "_count=4", "_count=3", "_count=2", "_count=1"])(
    "the pages of a search (%s) end early, and the links leave nobody out",
    async (count) => {
      const pages = await pagesFrom(found(count));
      expect(pages.flatMap(idsIn)).toEqual(ids);
      for (const page of pages) {
        expect(page.json.total).toBe(7);
        expect(idsIn(page).length).toBeLessThanOrEqual(3);
        expect(idsIn(await send(linkOf(page, "self") ?? ""))).toEqual(idsIn(page));
        expect(idsIn(await send(linkOf(page, "first") ?? "")).at(0)).toBe(ids[0]);
        expect(idsIn(await send(linkOf(page, "last") ?? "")).at(-1)).toBe(ids[6]);
      }
      const [last] = pages.slice(-1);
      const back = await pagesFrom(linkOf(last as HttpAnswer, "self") ?? "", "previous");
      expect(back.reverse().flatMap(idsIn)).toEqual(ids);
    },
  );

  it("a page that ends early begins where it was asked for", async () => {
    const page = await send(found("_count=5&_page=2"));
    expect(idsIn(page)).toEqual(ids.slice(5));
    expect(linkOf(page, "next")).toBeUndefined();
  });

  it("one that is larger than a page is a page", async () => {
    const birth = place === "together" ? "1932-01-01" : "1932-01-02";
    const giants = [];
    for (let n = 0; n < 2; n++)
      giants.push(await opened.stored(large(inventedPatient({ birthDate: birth }), 3_500_000)));
    const pages = await pagesFrom(
      `${opened.origins[place]}/fhir/Patient?birthdate=${birth}&_sort=_lastUpdated`,
    );
    expect(pages.map(idsIn)).toEqual(giants.map((id) => [id]));
  });

  it("so it is of histories", async () => {
    const id = await opened.stored(large(inventedPatient(), MEGABYTE));
    const { json } = await opened.fhir(`Patient/${id}`);
    for (let n = 0; n < 4; n++) {
      await opened.fhir(`Patient/${id}`, {
        method: "PUT",
        body: JSON.stringify({ ...json, language: n % 2 ? "et" : "en" }),
      });
    }
    const pages = await pagesFrom(`${opened.origins[place]}/fhir/Patient/${id}/_history`);
    const versions = pages.map(versionsIn);
    expect(versions.flat()).toEqual(["5", "4", "3", "2", "1"]);
    expect(versions.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.json.total).toBe(5);
  });

  it.each(["_count=6", "_count=6&_sort=_lastUpdated"])("and of the change feed (%s)", async (order) => {
    const pages = await pagesFrom(`${opened.origins[place]}/fhir/Patient/_history?${order}`);
    const changes = pages.flatMap(({ json }) => json.entry as Json[]);
    expect(new Set(changes.map(({ fullUrl, response }) => JSON.stringify([fullUrl, response]))).size).toBe(
      pages[0]?.json.total,
    );
    expect(changes).toHaveLength(pages[0]?.json.total);
  });
});

it("reads that a gateway apart sends together come back, however large they are", async () => {
  const giants = await Promise.all(
    Array.from({ length: 24 }, () => opened.stored(large(inventedPatient(), 3_000_000))),
  );
  const answers = await Promise.all(giants.map((id) => send(`${opened.origins.apart}/fhir/Patient/${id}`)));
  expect(answers.map(({ status }) => status)).toEqual(giants.map(() => 200));
});
