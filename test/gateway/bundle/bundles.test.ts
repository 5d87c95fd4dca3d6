import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../service.ts";
import { send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

const BORN = "1944-05-06";

let service: RunningService;
let patients: string;
let ids: string[];

beforeAll(async () => {
  service = await startService();
  patients = `${service.url}/fhir/Patient`;
  ids = [];
  for (let count = 0; count < 5; count += 1) {
    const body = JSON.stringify(inventedPatient({ birthDate: BORN }));
    ids.push((await send(patients, { method: "POST", body })).json.id);
  }
  const first = (await send(`${patients}/${ids[0]}`)).json;
  await send(`${patients}/${ids[0]}`, {
    method: "PUT",
    body: JSON.stringify({ ...first, gender: "other" }),
  });
});

afterAll(() => service.stop());

interface Bundle {
  readonly type: string;
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly Entry[];
}

interface Entry {
  readonly fullUrl: string;
  readonly resource: {
    readonly id: string;
    readonly resourceType: string;
    readonly meta: { versionId: string };
  };
  readonly search?: { readonly mode: string };
  readonly request?: { readonly method: string; readonly url: string };
  readonly response?: { readonly status: string; readonly etag: string; readonly lastModified: string };
}

async function bundle(url: string): Promise<Bundle> {
  const { status, json } = await send(url);
  expect(status).toBe(200);
  return json;
}

function link(of: Bundle, relation: string): string | undefined {
  return of.link.find((one) => one.relation === relation)?.url;
}

function idsOf({ entry = [] }: Bundle): string[] {
  return entry.map(({ resource }) => resource.id);
}

/** All pages from one on, by their next links. */
async function follow(first: Bundle): Promise<Bundle[]> {
  const pages = [first];
  for (let next = link(first, "next"); next !== undefined; next = link(pages.at(-1) as Bundle, "next")) {
    pages.push(await bundle(next));
  }
  return pages;
}

describe("a searchset", () => {
  test("says how many there are, and where each is", async () => {
    const found = await bundle(`${patients}?birthdate=${BORN}`);
    expect([found.type, found.total]).toEqual(["searchset", 5]);
    expect(idsOf(found).sort()).toEqual([...ids].sort());
    for (const { fullUrl, resource, search } of found.entry ?? []) {
      expect(search).toEqual({ mode: "match" });
      expect((await send(fullUrl)).json).toEqual(resource);
    }
  });

  test("of several pages is read by its next links, each patient once", async () => {
    const pages = await follow(await bundle(`${patients}?birthdate=${BORN}&_count=2&_sort=_lastUpdated`));
    expect(pages.map((page) => idsOf(page).length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(5);
  });

  test("leads from its last page back to the first, and to itself", async () => {
    const first = await bundle(`${patients}?birthdate=${BORN}&_count=2`);
    expect(first.link.map(({ relation }) => relation)).toEqual(["self", "first", "next", "last"]);
    const last = await bundle(link(first, "last") ?? "");
    expect(last.link.map(({ relation }) => relation)).toEqual(["self", "first", "previous", "last"]);
    const middle = await bundle(link(last, "previous") ?? "");
    expect(middle.link.map(({ relation }) => relation)).toEqual([
      "self",
      "first",
      "previous",
      "next",
      "last",
    ]);
    expect(idsOf(await bundle(link(middle, "previous") ?? ""))).toEqual(idsOf(first));
    expect(idsOf(await bundle(link(last, "self") ?? ""))).toEqual(idsOf(last));
    expect(idsOf(await bundle(link(last, "first") ?? ""))).toEqual(idsOf(first));
  });

  test.each([
    ["", "20"],
    ["_count=2", "2"],
    ["_count=500", "100"],
  ])("asked with '%s' names its other pages with the size %s that it took", async (count, size) => {
    const found = await bundle(`${patients}?birthdate=${BORN}&${count}`);
    const sizes = found.link.map(({ relation, url }) => [
      relation,
      new URL(url).searchParams.getAll("_count"),
    ]);
    const asked = count === "" ? [] : [count.slice("_count=".length)];
    expect(sizes[0]).toEqual(["self", asked]);
    expect(sizes.slice(1).map(([, named]) => named)).toEqual(sizes.slice(1).map(() => [size]));
    expect(sizes.length).toBeGreaterThan(2);
  });

  test("by POST to _search is that of GET", async () => {
    const get = await bundle(`${patients}?birthdate=${BORN}&_count=2&_sort=birthdate`);
    const post = await send(`${patients}/_search?_count=2`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `birthdate=${BORN}&_sort=birthdate`,
    });
    expect(idsOf(post.json)).toEqual(idsOf(get));
    expect(idsOf(await bundle(link(post.json, "self") ?? ""))).toEqual(idsOf(get));
  });

  const form = { "content-type": "application/x-www-form-urlencoded" };
  const manyIds = (count: number) => Array.from({ length: count }, (_, at) => 100_000 + at);

  test("by POST with many parameters has links that can be followed", async () => {
    const body = `_id=${[...ids, ...manyIds(1_600)].join(",")}&_count=2`;
    const { status, json } = await send(`${patients}/_search`, { method: "POST", headers: form, body });
    expect(status).toBe(200);
    expect(idsOf(await bundle(link(json, "next") ?? ""))).toHaveLength(2);
  });

  test("with more parameters than a link can hold is refused (MPI-015), and told which is the longest", async () => {
    const body = `active=true&_id=${manyIds(5_000).join(",")}`;
    for (const prefer of ["handling=strict", "handling=lenient"]) {
      const headers = { ...form, prefer };
      const { status, json } = await send(`${patients}/_search`, { method: "POST", headers, body });
      expect([status, json.issue[0].details.coding[0].code]).toEqual([400, "MPI-015"]);
      expect(json.issue[0].expression).toEqual(["http._id"]);
    }
  });

  test.each(["_summary=count", "_count=0"])("with %s holds the total alone", async (parameter) => {
    const found = await bundle(`${patients}?birthdate=${BORN}&${parameter}`);
    expect([found.total, found.entry]).toEqual([5, undefined]);
    expect(found.link.map(({ relation }) => relation)).toEqual(["self"]);
    expect((await bundle(link(found, "self") ?? "")).total).toBe(5);
  });

  test("holds as many as there may be, however many are asked for", async () => {
    const found = await bundle(`${patients}?birthdate=${BORN}&_count=${"9".repeat(400)}`);
    expect([found.entry?.length, link(found, "last")]).toEqual([5, link(found, "first")]);
    const history = await bundle(`${patients}/${ids[0]}/_history?_count=10000000000`);
    expect(history.entry).toHaveLength(2);
  });

  test("takes zeros before a number for nothing", async () => {
    expect(idsOf(await bundle(`${patients}?birthdate=${BORN}&_count=002`))).toHaveLength(2);
    expect((await bundle(`${patients}?birthdate=${BORN}&_count=00`)).entry).toBeUndefined();
  });

  test("shows the elements asked for", async () => {
    const found = await bundle(`${patients}?_id=${ids[1]}&_elements=gender`);
    expect(found.entry?.map(({ resource }) => Object.keys(resource))).toEqual([
      ["resourceType", "id", "meta", "gender"],
    ]);
  });

  test("tells what it ignored under lenient handling, and leaves it out of its self link", async () => {
    const { json } = await send(`${patients}?_id=${ids[1]}&colour=red`, {
      headers: { prefer: "handling=lenient" },
    });
    const outcome = json.entry.find((entry: Entry) => entry.search?.mode === "outcome");
    expect(outcome.resource).toMatchObject({
      resourceType: "OperationOutcome",
      issue: [{ severity: "warning", expression: ["http.colour"] }],
    });
    expect(link(json, "self")).not.toContain("colour");
    expect(json.total).toBe(1);
    const unnamed = await send(`${patients}?_id=${ids[1]}&=x`, { headers: { prefer: "handling=lenient" } });
    expect(link(unnamed.json, "self")).not.toMatch(/[?&]=/);
  });

  test.each(["birthdate=1900-01-01", "_id=99999"])("without a match has no entries: %s", async (query) => {
    const found = await bundle(`${patients}?${query}`);
    expect([found.total, found.entry]).toEqual([0, undefined]);
  });
});

describe("the history of a patient", () => {
  test("holds its versions, newest first, each with how it came about", async () => {
    const found = await bundle(`${patients}/${ids[0]}/_history`);
    expect([found.type, found.total]).toEqual(["history", 2]);
    expect(found.entry?.map(({ request }) => request)).toEqual([
      { method: "PUT", url: `Patient/${ids[0]}` },
      { method: "POST", url: "Patient" },
    ]);
    expect(found.entry?.map(({ response }) => [response?.status, response?.etag])).toEqual([
      ["200", 'W/"2"'],
      ["201", 'W/"1"'],
    ]);
    for (const { fullUrl, resource, response } of found.entry ?? []) {
      expect(fullUrl).toBe(`${patients}/${ids[0]}`);
      expect((await send(`${fullUrl}/_history/${resource.meta.versionId}`)).json).toEqual(resource);
      expect(response?.lastModified).toBe((resource.meta as { lastUpdated?: string }).lastUpdated);
    }
  });

  test("comes in pages", async () => {
    const pages = await follow(await bundle(`${patients}/${ids[0]}/_history?_count=1&_sort=_lastUpdated`));
    const versions = pages.flatMap(({ entry = [] }) => entry.map(({ resource }) => resource.meta.versionId));
    expect(versions).toEqual(["1", "2"]);
  });

  test("with _count=0 is its total alone", async () => {
    const found = await bundle(`${patients}/${ids[0]}/_history?_count=0`);
    expect([found.total, found.entry]).toEqual([2, undefined]);
    expect((await bundle(link(found, "self") ?? "")).total).toBe(2);
  });

  test("takes zeros before a number for nothing, as a search does", async () => {
    const history = `${patients}/${ids[0]}/_history`;
    expect((await bundle(`${history}?_count=001`)).entry).toHaveLength(1);
    const none = await bundle(`${history}?_count=00`);
    expect([none.total, none.entry]).toEqual([2, undefined]);
  });

  test("has links that work when followed, whatever was ignored", async () => {
    const url = `${patients}/${ids[0]}/_history?_count=1&colour=red`;
    const { json } = await send(url, { headers: { prefer: "handling=lenient" } });
    for (const { url: followed } of json.link) expect((await send(followed)).status).toBe(200);
  });

  test("of nobody is MPI-072", async () => {
    const { status, json } = await send(`${patients}/99999/_history`);
    expect([status, json.issue[0].details.coding[0].code]).toEqual([404, "MPI-072"]);
  });
});

describe("the change feed", () => {
  const version = ({ resource }: Entry) => `${resource.id}/${resource.meta.versionId}`;

  test("holds every version of every patient, in either order", async () => {
    const oldest = await follow(await bundle(`${patients}/_history?_count=2&_sort=_lastUpdated`));
    const newest = await follow(await bundle(`${patients}/_history?_count=4`));
    const inOrder = oldest.flatMap(({ entry = [] }) => entry.map(version));
    expect(inOrder).toEqual([...ids.map((id) => `${id}/1`), `${ids[0]}/2`]);
    expect(newest.flatMap(({ entry = [] }) => entry.map(version))).toEqual(inOrder.toReversed());
    expect(oldest[0]?.total).toBe(6);
  });

  test("ends, and a reader who asks for the last page again sees what came after", async () => {
    const pages = await follow(await bundle(`${patients}/_history?_count=4&_sort=_lastUpdated`));
    const last = pages.at(-1) as Bundle;
    const body = JSON.stringify(inventedPatient());
    const { id } = (await send(patients, { method: "POST", body })).json;
    const again = await bundle(link(last, "self") ?? "");
    expect(again.entry?.map(version)).toEqual([...(last.entry ?? []).map(version), `${id}/1`]);
  });

  test("_since takes times with an offset, and without one as those of Tallinn", async () => {
    const soon = Temporal.Now.zonedDateTimeISO("Europe/Tallinn").add({ hours: 1 });
    const before = soon.subtract({ days: 2 });
    const of = async (since: string) =>
      (await bundle(`${patients}/_history?_count=1&_since=${encodeURIComponent(since)}`)).entry?.length ?? 0;
    const local = soon.toPlainDateTime().toString({ smallestUnit: "second" });
    expect(await of(local)).toBe(0);
    expect(await of(soon.toInstant().toString())).toBe(0);
    expect(await of(before.toPlainDateTime().toString({ smallestUnit: "minute" }))).toBe(1);
    expect(await of(before.toPlainDate().toString())).toBe(1);
    expect(await of(String(before.year))).toBe(1);
    // As people type it: the plus of the offset not escaped.
    const url = `${patients}/_history?_since=${local}+02:00`;
    expect((await send(url)).status).toBe(200);
  });
});
