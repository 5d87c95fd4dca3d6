import { inventPeople } from "../../invented-people/index.ts";
import { openPatientLoader, publishChanges, type Storage } from "../../storage/index.ts";

export interface SeedOptions {
  /** How many people of the seed there are to be in the index. */
  readonly patients: number;
  readonly seed: number;
  readonly now: () => Date;
  /** Called with how many people have been dealt with. */
  readonly onProgress: (done: number) => void;
}

export interface Seeded {
  readonly stored: number;
  /** Left out: they, or somebody else with one of their identifiers, were in the index already. */
  readonly present: number;
}

const BATCH = 500;
/** While one batch is written, the next is invented, and its rows are made. */
const BATCHES_AT_ONCE = 3;

/**
 * Puts the first people of a seed into the index, those who are not there yet, and publishes them in the change feed.
 * What was stored before a failure stays; the same call again goes on from there.
 */
export async function seedPatients(
  { url, database, keys }: Storage,
  { patients, seed, now, onProgress }: SeedOptions,
): Promise<Seeded> {
  const loader = openPatientLoader({ url, database, keys, connections: BATCHES_AT_ONCE });
  let [next, done, stored] = [0, 0, 0];
  const work = async () => {
    while (next < patients) {
      const from = next;
      next = Math.min(from + BATCH, patients);
      const people = inventPeople(seed, from, next);
      const added = (await loader.load(people, now())).filter((one) => "patient" in one).length;
      // At once, so that the outbox stays short.
      if (added > 0) await publishChanges(database, now());
      stored += added;
      done += people.length;
      onProgress(done);
    }
  };
  try {
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
  } finally {
    await loader.close();
  }
  return { stored, present: patients - stored };
}
