import fc from "fast-check";
import { expect, it } from "vitest";
import { startService } from "../service.ts";
import { acts, store } from "./at-once/acts.ts";
import { type Json, WitnessedIndex } from "./at-once/witnessed-index.ts";

const CLIENTS = 5;
const ACTS_EACH = 40;

/** The same ones each time, and one that nobody has tried yet. */
const seeds = [1, 2, Math.floor(Math.random() * 1_000_000)];

it.each(seeds)(
  "what several clients are told at once holds together, whatever they do with the same patients, seed %i",
  { timeout: 900_000 },
  async (seed) => {
    const service = await startService();
    const index = new WitnessedIndex(`${service.url}/fhir`);
    try {
      for (const number of ["A1", "B2", "C3", "D4", "E5", "F6", "G7"]) await store(index, number);
      const sequences = fc.sample(fc.array(acts, { minLength: ACTS_EACH, maxLength: ACTS_EACH }), {
        seed,
        numRuns: CLIENTS,
      });
      await Promise.all(
        sequences.map(async (sequence) => {
          for (const act of sequence) await act(index);
        }),
      );
      const histories = new Map<string, Json[]>();
      for (const { id } of index.known) histories.set(id, await historyOf(index, id));
      expectWrites(index, histories);
      expectWholeTransactions(index, histories);
      expectLinks(index, histories);
      await expectFeed(index, histories);
    } finally {
      await service.stop();
    }
  },
);

/** Every write that was acknowledged has its version, which no other write has, and no version is missing. */
function expectWrites({ writes }: WitnessedIndex, histories: ReadonlyMap<string, readonly Json[]>): void {
  for (const [id, versions] of histories) {
    expect([id, versions.map(versionOf)]).toEqual([id, versions.map((_, place) => place + 1)]);
    const made = writes.filter((write) => write.id === id && write.kind !== "link");
    const places = made.map(({ version }) => version);
    expect([id, new Set(places).size]).toEqual([id, places.length]);
    for (const { version } of writes.filter((write) => write.id === id)) {
      expect(version).toBeLessThanOrEqual(versions.length);
    }
  }
}

/** A telephone number that came with a transaction came to both of its patients. */
function expectWholeTransactions(
  { pairs }: WitnessedIndex,
  histories: ReadonlyMap<string, readonly Json[]>,
): void {
  const shownBy = (telephone: string) =>
    [...histories].filter(([, versions]) => versions.some(({ telecom }) => telecom?.[0].value === telephone));
  for (const telephone of pairs) expect([0, 2]).toContain(shownBy(telephone).length);
}

/** Who was linked more often than released is a secondary, and a primary and its secondaries show each other. */
function expectLinks({ links }: WitnessedIndex, histories: ReadonlyMap<string, readonly Json[]>): void {
  const shown = [...histories].flatMap(([id, versions]) =>
    (versions.at(-1).link ?? []).map(({ type, other }: Json) => ({ id, type, other: idIn(other) })),
  );
  const below = shown.filter(({ type }) => type === "replaced-by");
  const above = shown.filter(({ type }) => type === "replaces");
  const linked = [...links].filter(([, count]) => count !== 0);
  expect(below.map(({ id }) => [id, 1]).sort()).toEqual(linked.sort());
  expect(below.map(({ id, other }) => `${id} ${other}`).sort()).toEqual(
    above.map(({ id, other }) => `${other} ${id}`).sort(),
  );
}

/** Whoever reads the feed from its beginning is told of every version once, and of each patient's in their order. */
async function expectFeed(
  index: WitnessedIndex,
  histories: ReadonlyMap<string, readonly Json[]>,
): Promise<void> {
  const told = Map.groupBy(
    await pages(index, "/Patient/_history?_sort=_lastUpdated&_count=50"),
    ({ id }) => id,
  );
  for (const [id, versions] of histories) expect(told.get(id)).toEqual(versions);
}

async function historyOf(index: WitnessedIndex, id: string): Promise<Json[]> {
  const versions = await pages(index, `/Patient/${id}/_history?_sort=_lastUpdated&_count=30`);
  expect((await index.ask(`/Patient/${id}`)).json).toEqual(versions.at(-1));
  return versions;
}

async function pages(index: WitnessedIndex, from: string): Promise<Json[]> {
  const resources = [];
  for (let path: string | undefined = from; path !== undefined; ) {
    const { json } = await index.ask(path);
    for (const { resource } of json.entry) resources.push(resource);
    const next = json.link.find(({ relation }: Json) => relation === "next")?.url;
    path = next?.replace(index.base, "");
  }
  return resources;
}

function versionOf({ meta }: Json): number {
  return Number(meta.versionId);
}

function idIn({ reference }: Json): string {
  return reference.replace("Patient/", "");
}
