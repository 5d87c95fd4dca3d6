import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { KeyRing } from "../../src/identifier-index/index.ts";
import { reencryptIndex } from "../../src/index-maintenance/index.ts";
import { openPatientLoader } from "../../src/storage/index.ts";
import { onServer, type TestDatabase } from "../database.ts";
import { somebody } from "../storage/patients/store.ts";
import {
  addSecondary,
  identifierOf,
  type KeysOfOperator,
  NOW,
  newRun,
  type Process,
  startTwo,
  stopTwo,
} from "./processes.ts";

let database: TestDatabase;
let keys: KeysOfOperator;
let one: Process;
let other: Process;

beforeEach(async () => {
  ({ database, keys, one, other } = await startTwo());
});

afterEach(async () => {
  vi.restoreAllMocks();
  await stopTwo({ database, one, other });
});

it.each([
  { clock: "its clock went on", missed: 65_000 },
  { clock: "its clock stood still too, as in a machine that is halted", missed: 0 },
])(
  "a process that stood still through a rotation, before it hashed many patients, writes them under the new key: $clock",
  async ({ missed }) => {
    const loader = loaderOf(other, async () => {
      await other.followed.stop();
      addSecondary(keys);
      await reencryptIndex(one.rotations).run(newRun());
      const now = performance.now.bind(performance);
      vi.spyOn(performance, "now").mockImplementation(() => now() + missed);
    });
    const people = [somebody(), somebody()];
    const loaded = await loader.load(people, NOW);
    await loader.close();

    const ids = loaded.map((record) => ("patient" in record ? BigInt(record.patient.id ?? "") : undefined));
    expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
    for (const [place, person] of people.entries()) {
      expect(await one.store.holders([identifierOf(person)])).toEqual([ids[place]]);
    }
  },
);

/** A loader in a process to which something happens, once, when it has its keys. */
function loaderOf({ database: connections, followed: { ring } }: Process, happens: () => Promise<void>) {
  let isOver = false;
  const watched: KeyRing = {
    under: (work) =>
      ring.under(async (given) => {
        if (!isOver) await happens();
        isOver = true;
        return await work(given);
      }),
    refresh: () => ring.refresh(),
  };
  return openPatientLoader({ url: database.url, database: connections, keys: watched, connections: 1 });
}

async function keysOfTables(): Promise<unknown[]> {
  const { rows } = await onServer(database.url, (client) =>
    client.query("SELECT key_id FROM identifier UNION SELECT key_id FROM identifier_value"),
  );
  return rows.map(({ key_id }) => key_id);
}
