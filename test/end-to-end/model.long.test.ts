import fc from "fast-check";
import { expect, it } from "vitest";
import { send } from "../gateway/http-client.ts";
import { startService } from "../service.ts";
import { acts, type ModelledIndex, shown, store } from "./model/acts.ts";
import { IndexModel } from "./model/index-model.ts";

const ACTS = 400;

it.each([1, 2, 3])(
  "answers, histories and the change feed are those of the model after any acts, seed %i",
  {
    timeout: 1_800_000,
  },
  async (seed) => {
    const service = await startService();
    const index = { model: new IndexModel(), base: `${service.url}/fhir` };
    try {
      for (const value of ["G7", "H8", "I9", "J10"]) await store(index, value);
      for (const act of fc.sample(acts, { seed, numRuns: ACTS })) await act(index);
      for (const id of index.model.patients) await expectHistory(index, id);
      await expectFeed(index);
    } finally {
      await service.stop();
    }
  },
);

/** Every version shows what it showed when it was made. */
async function expectHistory(index: ModelledIndex, id: string): Promise<void> {
  const resources = await pages(`${index.base}/Patient/${id}/_history?_count=7`);
  expect(resources.map(shown).reverse()).toEqual(index.model.versionsOf(id));
}

/** Whoever reads the feed from its beginning is told of every version of everybody, once and in order. */
async function expectFeed({ model, base }: ModelledIndex): Promise<void> {
  const resources = await pages(`${base}/Patient/_history?_sort=_lastUpdated&_count=50`);
  const told = Map.groupBy(resources, ({ id }) => id);
  expect([...told.keys()].sort()).toEqual(model.patients.sort());
  for (const [id, versions] of told) expect(versions.map(shown)).toEqual(model.versionsOf(id));
}

// biome-ignore lint/suspicious/noExplicitAny: resources as JSON
async function pages(from: string): Promise<any[]> {
  const resources = [];
  for (let url: string | undefined = from; url !== undefined; ) {
    const { json } = await send(url);
    for (const { resource } of json.entry) resources.push(resource);
    url = json.link.find(({ relation }: { relation: string }) => relation === "next")?.url;
  }
  return resources;
}
