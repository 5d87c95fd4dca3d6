import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writtenByRegister } from "../../src/call/author.ts";
import type { MpiError } from "../../src/errors/index.ts";
import { blind, type HeldKeys } from "../../src/identifier-index/index.ts";
import { reencryptIndex } from "../../src/index-maintenance/index.ts";
import type { KeyRotations } from "../../src/index-maintenance/ports.ts";
import { patientStore, relatedPersonStore, unitOfWork } from "../../src/storage/index.ts";
import { onServer, type TestDatabase } from "../database.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { fixedKeys, newIndexKey } from "../storage/index-keys.ts";
import { somebody } from "../storage/patients/store.ts";
import {
  ATTENTIVE,
  addSecondary,
  expressionsOf,
  identifierOf,
  type KeysOfOperator,
  NOW,
  newKeysOfOperator,
  newRun,
  type Process,
  startProcess,
  startTwo,
  stopTwo,
} from "./processes.ts";

const TABLES_OF_KEYS = [
  "SELECT key_id FROM identifier",
  "SELECT key_id FROM identifier_value",
  "SELECT author_key_id FROM patient_history WHERE author IS NOT NULL",
  "SELECT author_key_id FROM related_person_history WHERE author IS NOT NULL",
];

let database: TestDatabase;
let keys: KeysOfOperator;
let one: Process;
let other: Process;

beforeEach(async () => {
  ({ database, keys, one, other } = await startTwo(ATTENTIVE));
});

afterEach(async () => {
  await stopTwo({ database, one, other });
});

describe("reencrypt-index", () => {
  it("takes all that is sealed to the secondary key, and everything is found and unique as before", async () => {
    const people = await createMany(60);
    await createContact(people[0]?.id ?? "");
    const secondary = addSecondary(keys);
    const run = newRun();
    await reencryptIndex(one.rotations).run(run);

    expect(await keysInTables()).toEqual([secondary.keyId]);
    expect(run.problems).toEqual([]);
    expect(run.progress.at(-1)?.done).toBe(run.progress.at(-1)?.total);
    for (const process of [one, other]) {
      for (const person of people) {
        expect((await process.store.read(BigInt(person.id ?? "")))?.patient.identifier).toEqual(
          person.identifier,
        );
        expect(await process.store.holders([identifierOf(person)])).toEqual([BigInt(person.id ?? "")]);
        await expect(process.store.create(person, NOW)).rejects.toThrow("identifier");
      }
    }
    const contacts = relatedPersonStore(one.database, one.followed.ring);
    const page = { descending: false, offset: 0, size: 1 };
    const { found } = await contacts.pageOfPatients([BigInt(people[0]?.id ?? "")], page);
    expect(found[0]?.resource.identifier[0]?.value).toBe("39107011234");
  });

  it("is refused without a secondary key, and with one that it has gone to already", async () => {
    await expect(reencryptIndex(one.rotations).run(newRun())).rejects.toThrow("SECONDARY_KEY_REQUIRED");
    addSecondary(keys);
    await reencryptIndex(one.rotations).run(newRun());
    await expect(reencryptIndex(one.rotations).run(newRun())).rejects.toThrow("SECONDARY_KEY_REQUIRED");
  });

  it("is refused with words of its own while the keys cannot be loaded, and begins when they can", async () => {
    addSecondary(keys);
    const { held } = keys;
    Object.defineProperty(keys, "held", {
      get: () => {
        throw new Error("The HSM is away.");
      },
      configurable: true,
    });
    const { mayStart } = reencryptIndex(one.rotations);
    await expect(mayStart?.()).rejects.toThrow("SECONDARY_KEY_REQUIRED, INDEX_DECRYPTION_FAILED");
    expect(await one.rotations.underWay()).toBeUndefined();
    Object.defineProperty(keys, "held", { value: held });
    await mayStart?.();
    expect(await one.rotations.underWay()).toMatchObject({ phase: "joining" });
  });

  it("goes on from its checkpoint when it was interrupted, in another process too", async () => {
    await createMany(60);
    const secondary = addSecondary(keys);
    const first = newRun(undefined, (run) => run.abort());
    await expect(reencryptIndex(one.rotations).run(first)).rejects.toThrow("cancelled");
    const { done, checkpoint } = first.progress[0] ?? { done: 0 };
    expect(done).toBe(20); // ten patients, each with a value and an author
    expect((await keysInTables()).length).toBe(2);

    const second = newRun(checkpoint);
    await reencryptIndex(other.rotations).run(second);
    expect(second.progress[0]?.done).toBe(40);
    expect(await keysInTables()).toEqual([secondary.keyId]);
  });

  it("leaves nothing to be done for a checkpoint of another rotation", async () => {
    await createMany(30);
    addSecondary(keys);
    await reencryptIndex(one.rotations).run(newRun());
    keys.held = { primary: keys.held.secondary ?? keys.held.primary, retired: [keys.held.primary] };
    const third = addSecondary(keys);
    await reencryptIndex(one.rotations).run(newRun("another-key 999999"));
    expect(await keysInTables()).toEqual([third.keyId]);
  });

  it("stops before it deletes anything when a row does not open, and all others are served", async () => {
    const people = await createMany(30);
    await run(
      "UPDATE identifier_value SET ciphertext = set_byte(ciphertext, 30, 255 - get_byte(ciphertext, 30)) WHERE patient_id = $1",
      people[3]?.id,
    );
    addSecondary(keys);
    const failed = newRun();
    const failure = await reencryptIndex(one.rotations)
      .run(failed)
      .catch((error: MpiError) => error);
    const broken = `Patient.where(id = '${people[3]?.id}')`;
    expect(failure?.message).toBe("INDEX_INCONSISTENT, INDEX_DECRYPTION_FAILED");
    expect(failure && expressionsOf(failure)).toEqual([broken]);
    expect([failed.problems, failed.named]).toEqual([["INDEX_DECRYPTION_FAILED"], [broken]]);
    for (const person of people) {
      expect(await other.store.holders([identifierOf(person)])).toEqual([BigInt(person.id ?? "")]);
    }
    await expect(one.store.read(BigInt(people[3]?.id ?? ""))).rejects.toThrow("INDEX_DECRYPTION_FAILED");
    await one.store.read(BigInt(people[4]?.id ?? ""));
  });
});

describe("a rotation", () => {
  it.each<[string, (before: HeldKeys) => HeldKeys]>([
    ["lack the new one", (before) => before],
    [
      "cannot be loaded now",
      () => {
        throw new Error("The HSM is away.");
      },
    ],
    ["are others now", () => newKeysOfOperator().held],
  ])("waits for a process whose keys %s, which serves on meanwhile", async (_what, load) => {
    const before = keys.held;
    let isSpoiled = false;
    const late: KeysOfOperator = {
      get held() {
        return isSpoiled ? load(before) : keys.held;
      },
    };
    const third = await startProcess(database.url, late);
    try {
      isSpoiled = true;
      addSecondary(keys);
      await one.rotations.begin();
      await Promise.all([other.followed.refresh(), third.followed.refresh()]);
      expect(await one.rotations.unready()).toBe(1);
      const person = await third.store.create(somebody(), NOW);
      expect(await other.store.holders([identifierOf(person)])).toEqual([BigInt(person.id ?? "")]);
      isSpoiled = false;
      await third.followed.refresh();
      expect(await one.rotations.unready()).toBe(0);
    } finally {
      await third.stop();
    }
  });

  it("waits for a process whose key of that id has other secrets, and none such starts", async () => {
    const mistaken: KeysOfOperator = { held: keys.held };
    const third = await startProcess(database.url, mistaken);
    try {
      const { keyId } = addSecondary(keys);
      mistaken.held = { ...keys.held, secondary: { ...newIndexKey(), keyId } };
      await one.rotations.begin();
      await Promise.all([other.followed.refresh(), third.followed.refresh()]);
      expect(await one.rotations.unready()).toBe(1);
      await expect(startProcess(database.url, mistaken)).rejects.toThrow(keyId);
    } finally {
      await third.stop();
    }
  });

  it("has gone on without a process that was not heard of: that one asks for the new key as long as it lacks it", async () => {
    const late: KeysOfOperator = { held: keys.held };
    const third = await startProcess(database.url, late);
    try {
      const { keyId } = addSecondary(keys);
      const rotation = await one.rotations.begin();
      if (rotation) await one.rotations.advance(rotation);
      await expect(third.followed.refresh()).rejects.toThrow(keyId);
      await expect(third.followed.refresh()).rejects.toThrow(keyId);
      late.held = keys.held;
      await third.followed.refresh();
      expect(await third.followed.ring.under(async ({ primary }) => primary.keyId)).toBe(keyId);
    } finally {
      await third.stop();
    }
  });

  it("waits for work that began with the keys from before", async () => {
    addSecondary(keys);
    let endWork: (() => void) | undefined;
    const work = other.followed.ring.under(
      () =>
        new Promise<void>((resolve) => {
          endWork = resolve;
        }),
    );
    await one.rotations.begin();
    await other.followed.refresh();
    expect(await one.rotations.unready()).toBe(1);
    endWork?.();
    await work;
    await expect.poll(() => one.rotations.unready()).toBe(0);
  });

  it("waits for the end of a transaction of several writes, not only for that of its parts", async () => {
    addSecondary(keys);
    let endWork: (() => void) | undefined;
    const isWritten = Promise.withResolvers<void>();
    const work = unitOfWork(other.database, other.followed.ring).run(async () => {
      await other.store.create(somebody(), NOW);
      isWritten.resolve();
      await new Promise<void>((resolve) => {
        endWork = resolve;
      });
    });
    await isWritten.promise;
    await one.rotations.begin();
    await other.followed.refresh();
    expect(await one.rotations.unready()).toBe(1);
    endWork?.();
    await work;
    await expect.poll(() => one.rotations.unready()).toBe(0);
  });

  it("takes to the new key what somebody who is not heard of began before its first step and ends in the last", async () => {
    const [person, before] = [somebody(), keys.held.primary];
    const late = patientStore(one.database, fixedKeys({ primary: before }));
    await onServer(database.url, async (holder) => {
      await holder.query("BEGIN");
      await holder.query(
        "INSERT INTO identifier (value_hmac, country, type, key_id, patient_id) VALUES ($1, 'fin', 'ni', $2, 0)",
        [blind(before, identifierOf(person).value), before.keyId],
      );
      const creating = late.create(person, NOW);
      await expect.poll(statementsThatWait).toBe(1);
      const secondary = addSecondary(keys);
      let ending: Promise<unknown> | undefined;
      const letEnd = async () => {
        ending ??= holder.query("ROLLBACK");
        await ending;
        await creating;
      };
      const rotations: KeyRotations = {
        ...one.rotations,
        async openTransactions() {
          setTimeout(() => void letEnd(), 300);
          return await one.rotations.openTransactions();
        },
        async deleteOldRows(...part) {
          await one.rotations.deleteOldRows(...part);
          await letEnd();
        },
      };
      await reencryptIndex(rotations).run(newRun());
      expect(await keysInTables()).toEqual([secondary.keyId]);
      expect(await other.store.holders([identifierOf(person)])).toEqual([BigInt((await creating).id ?? "")]);
    });
  });

  it("does not wait for a process that has ended", async () => {
    const third = await startProcess(database.url, keys);
    addSecondary(keys);
    await third.stop();
    await one.rotations.begin();
    await other.followed.refresh();
    expect(await one.rotations.unready()).toBe(0);
  });
});

async function createMany(count: number) {
  return await Promise.all(
    Array.from({ length: count }, () =>
      writtenByRegister("https://rr.example", () => one.store.create(somebody(), NOW)),
    ),
  );
}

async function createContact(patientId: string): Promise<void> {
  const contacts = relatedPersonStore(one.database, one.followed.ring);
  const identifier = [{ system: "https://fhir.ee/sid/pid/est/ni", value: "39107011234" }];
  await writtenByRegister("https://rr.example", () =>
    contacts.create(BigInt(patientId), NOW, () => contactPerson({ identifier })),
  );
}

async function keysInTables(): Promise<unknown[]> {
  return await onServer(database.url, async (client) => {
    const { rows } = await client.query<{ key_id: string }>(TABLES_OF_KEYS.join(" UNION "));
    return rows.map((row) => row.key_id);
  });
}

async function statementsThatWait(): Promise<number> {
  return await onServer(database.url, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows[0]?.n ?? 0;
  });
}

async function run(statement: string, ...parameters: unknown[]): Promise<void> {
  await onServer(database.url, (client) => client.query(statement, parameters));
}
