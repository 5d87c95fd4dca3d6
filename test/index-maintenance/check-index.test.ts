import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkIndex } from "../../src/index-maintenance/index.ts";
import type { Rotation } from "../../src/index-maintenance/ports.ts";
import { indexExamination, relatedPersonStore } from "../../src/storage/index.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../database.ts";
import { PID } from "../patients/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { somebody } from "../storage/patients/store.ts";
import {
  addSecondary,
  type KeysOfOperator,
  NOW,
  newKeysOfOperator,
  newRun,
  type Process,
  startProcess,
} from "./processes.ts";

const UNREADABLE = "INDEX_INCONSISTENT, INDEX_DECRYPTION_FAILED";
const INCONSISTENT = "INDEX_INCONSISTENT";
const FLIPPED = "set_bit(ciphertext, 300, 1 - get_bit(ciphertext, 300))";

let database: TestDatabase;
let keys: KeysOfOperator;
let process: Process;
let ids: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  keys = newKeysOfOperator();
  process = await startProcess(database.url, keys);
  ids = [];
  for (let n = 0; n < 6; n++) ids.push((await process.store.create(somebody("fin", "lva"), NOW)).id ?? "");
  const contacts = relatedPersonStore(process.database, process.followed.ring);
  const identifier = [{ system: `${PID}/swe/ni`, value: "19910202-1234" }];
  await contacts.create(BigInt(ids[0] ?? ""), NOW, () => contactPerson({ identifier }));
});

afterEach(async () => {
  await process.stop();
  await database.drop();
});

describe("check-index", () => {
  it("finds nothing wrong with what the service has stored, and says how far it is", async () => {
    const run = newRun();
    await checkIndex(indexExamination(process.database, process.followed.ring)).run(run);
    expect(run.problems).toEqual([]);
    expect(run.progress.at(-1)).toMatchObject({ done: 18, total: 18 });
  });

  const WRONG: readonly [name: string, statement: string, problems: readonly string[]][] = [
    [
      "a flipped bit",
      `UPDATE identifier_value SET ciphertext = ${FLIPPED} WHERE patient_id = $1 AND owner = $1 AND n = 1`,
      [UNREADABLE],
    ],
    [
      "a flipped bit of a contact person",
      `UPDATE identifier_value SET ciphertext = ${FLIPPED} WHERE owner = $1 * 10000 + 1`,
      [UNREADABLE],
    ],
    [
      "a key that nobody has",
      "UPDATE identifier_value SET key_id = 'lost' WHERE patient_id = $1 AND owner = $1 AND n = 2",
      [UNREADABLE],
    ],
    [
      "two values that were swapped",
      `UPDATE identifier_value AS one SET ciphertext = other.ciphertext FROM identifier_value AS other
       WHERE one.patient_id = $1 AND other.patient_id = $1 AND one.owner = $1 AND other.owner = $1 AND one.n <> other.n`,
      [UNREADABLE, UNREADABLE],
    ],
    [
      "a hash of something else",
      "UPDATE identifier_value SET value_hmac = '\\x00' WHERE patient_id = $1 AND owner = $1 AND n = 1",
      [INCONSISTENT],
    ],
    [
      "a sealed value that is gone",
      "DELETE FROM identifier_value WHERE patient_id = $1 AND owner = $1 AND n = 1",
      [UNREADABLE, INCONSISTENT],
    ],
    [
      "an identifier that the blind index lacks",
      "DELETE FROM identifier WHERE patient_id = $1 AND country = 'lva'",
      [INCONSISTENT],
    ],
    [
      "an identifier that the blind index has of somebody else",
      "UPDATE identifier SET patient_id = $1 + 1 WHERE patient_id = $1 AND country = 'lva'",
      [INCONSISTENT, INCONSISTENT],
    ],
    [
      "an author that does not open",
      "UPDATE patient_history SET author = '\\x00', author_key_id = (SELECT key_id FROM index_key) WHERE id = $1",
      [UNREADABLE],
    ],
    [
      "a key of the audit trail that does not open",
      "INSERT INTO audit_key SELECT $1::text, key_id, '\\x00', created_at FROM index_key",
      [UNREADABLE],
    ],
    [
      "a row of the blind index that stands for nothing",
      "INSERT INTO identifier SELECT '\\x77', country, type, key_id, patient_id FROM identifier WHERE patient_id = $1 LIMIT 1",
      [INCONSISTENT],
    ],
  ];
  for (const [name, statement, problems] of WRONG) {
    it(`reports ${name}, and nothing else`, async () => {
      await onServer(database.url, (client) => client.query(statement, [ids[0]]));
      expect((await check()).sort()).toEqual([...problems].sort());
    });
  }

  it("names the patient with whom each problem is", async () => {
    const broken = ids.slice(1, 4);
    await onServer(database.url, (client) =>
      client.query(
        `UPDATE identifier_value SET ciphertext = ${FLIPPED} WHERE patient_id = ANY($1) AND n = 1`,
        [broken],
      ),
    );
    await onServer(database.url, (client) =>
      client.query(
        "INSERT INTO identifier SELECT '\\x77', country, type, key_id, patient_id FROM identifier WHERE patient_id = $1 LIMIT 1",
        [ids[5]],
      ),
    );
    const run = newRun();
    await checkIndex(indexExamination(process.database, process.followed.ring)).run(run);
    expect(run.named).toEqual([...broken, ids[5]].map((id) => `Patient.where(id = '${id}')`));
  });

  it("finds nothing wrong at any step of a rotation, while patients are written", {
    timeout: 300_000,
  }, async () => {
    addSecondary(keys);
    const { rotations, store } = process;
    let isDone = false;
    const writing = (async () => {
      for (; !isDone; await delay(20)) await store.create(somebody("fin", "lva"), NOW);
    })();
    try {
      let rotation: Rotation | undefined = await rotations.begin();
      while (rotation) {
        await expect.poll(() => rotations.unready()).toBe(0);
        expect(await check()).toEqual([]);
        await halfOf(rotation, 1);
        expect(await check()).toEqual([]);
        await halfOf(rotation, 2);
        rotation = await rotations.advance(rotation);
      }
      await process.followed.refresh();
    } finally {
      isDone = true;
      await writing;
    }
    expect(await check()).toEqual([]);
  });

  it("goes on where it was interrupted", async () => {
    const examination = indexExamination(process.database, process.followed.ring);
    const first = newRun(undefined, (run) => run.abort());
    await expect(checkIndex(examination).run(first)).rejects.toThrow("cancelled");
    await onServer(database.url, (client) =>
      client.query(
        "UPDATE identifier_value SET key_id = 'lost' WHERE patient_id = $1 AND owner = $1 AND n = 1",
        [ids[0]],
      ),
    );
    const second = newRun(first.progress[0]?.checkpoint);
    await checkIndex(examination).run(second);
    // Of the patients, whom it had seen, it says nothing any more.
    expect(second.problems).toEqual([]);
  });
});

/** What a rotation does in a phase, in two halves. */
async function halfOf(rotation: Rotation, half: 1 | 2): Promise<void> {
  const { rotations } = process;
  if (rotation.phase === "filling") await rotations.moveAfter(rotation, 0n, half === 1 ? 3 : 10_000);
  if (rotation.phase === "filling") await rotations.moveShared(rotation);
  if (rotation.phase === "leaving") await rotations.deleteOldRows(rotation, half - 1, 2);
}

async function check(): Promise<string[]> {
  const run = newRun();
  await checkIndex(indexExamination(process.database, process.followed.ring)).run(run);
  return run.problems;
}
