import { setTimeout as delay } from "node:timers/promises";
import { clone } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { StoredChange } from "../../../src/patients/index.ts";
import type { FeedPlace } from "../../../src/resources/index.ts";
import { patientStore } from "../../../src/storage/index.ts";
import { onServer } from "../../database.ts";
import { interrupted } from "../interrupted.ts";
import { openStore, type StoreUnderTest, somebody } from "./store.ts";

const EARLY = new Date("2026-05-01T10:00:00.000Z");
const LATE = new Date("2026-05-01T11:00:00.000Z");

let opened: StoreUnderTest;

beforeEach(async () => {
  opened = await openStore();
});

afterEach(async () => {
  await opened.close();
});

describe("the change feed", () => {
  it("shows what was committed before it was asked for, newest first", async () => {
    const one = await opened.store.create(somebody(), EARLY);
    const two = await opened.store.create(somebody(), LATE);
    const feed = await opened.store.changes({ size: 10, oldestFirst: false }, LATE);
    expect(keysOf(feed.changes)).toEqual([`${two.id}/1`, `${one.id}/1`]);
    expect(feed).toMatchObject({ total: 2, hasMore: false });
  });

  it("keeps nobody from the patients while somebody who publishes stands still, however many wait for it", async () => {
    const { id = "" } = await opened.store.create(somebody(), EARLY);
    const asked = await onServer(opened.databaseUrl, async (other) => {
      await other.query("BEGIN");
      await other.query("SELECT name FROM lease WHERE name = 'feed' FOR UPDATE");
      const waiting = Array.from({ length: 20 }, () =>
        opened.store.changes({ size: 10, oldestFirst: true }, LATE),
      );
      const all = Promise.all(waiting);
      await delay(500); // for them to come to wait
      const tooLong = delay(30_000, undefined, { ref: false });
      await expect(Promise.race([tooLong, opened.store.read(BigInt(id))])).resolves.toMatchObject({
        patient: { id },
      });
      await other.query("ROLLBACK");
      return await all;
    });
    for (const { changes } of asked) expect(keysOf(changes)).toEqual([`${id}/1`]);
  });

  it("compares since with the time of publication, not of the write", async () => {
    await opened.store.create(somebody(), EARLY);
    await opened.store.changes({ size: 1, oldestFirst: false }, EARLY);
    const late = await opened.store.create(somebody(), EARLY);
    const feed = await opened.store.changes({ size: 10, oldestFirst: true, since: LATE }, LATE);
    expect(keysOf(feed.changes)).toEqual([`${late.id}/1`]);
    expect(feed.total).toBe(1);
  });

  it("is paged since an instant, from either end", async () => {
    await opened.store.create(somebody(), EARLY);
    await opened.store.changes({ size: 1, oldestFirst: false }, EARLY);
    const [one, two] = [
      await opened.store.create(somebody(), LATE),
      await opened.store.create(somebody(), LATE),
    ];
    const pages = { "newest first": [two, one], "oldest first": [one, two] };
    for (const [order, patients] of Object.entries(pages)) {
      const page = { size: 1, oldestFirst: order === "oldest first", since: LATE };
      const first = await opened.store.changes(page, LATE);
      expect(first).toMatchObject({ total: 2, hasMore: true });
      const second = await opened.store.changes({ ...page, after: first.place }, LATE);
      expect(second).toMatchObject({ total: 2, hasMore: false });
      expect(keysOf([...first.changes, ...second.changes])).toEqual(patients.map(({ id }) => `${id}/1`));
    }
  });

  it("is empty since a time at which nothing was published yet, and its reader goes on from there", async () => {
    await opened.store.create(somebody(), EARLY);
    const since = new Date(LATE.getTime() + 1);
    const page = await opened.store.changes({ size: 5, oldestFirst: true, since }, LATE);
    expect(page).toEqual({
      changes: [],
      total: 0,
      hasMore: false,
      place: { position: 1n, publishedAt: LATE },
    });
    const later = await opened.store.create(somebody(), LATE);
    const next = await opened.store.changes({ size: 5, oldestFirst: true, since, after: page.place }, since);
    expect(keysOf(next.changes)).toEqual([`${later.id}/1`]);
  });

  it("lets a reader who follows it miss nothing and see nothing twice while others write", async () => {
    const writers = Array.from({ length: 6 }, () => writeSome(10));
    const seen: string[] = [];
    let done = false;
    const writing = Promise.all(writers).then(() => {
      done = true;
    });
    let after: FeedPlace = { position: 0n };
    for (let last = false; !last; ) {
      last = done;
      const page = await opened.store.changes({ size: 7, oldestFirst: true, after }, new Date());
      seen.push(...keysOf(page.changes));
      after = page.place;
      if (page.hasMore) last = false;
    }
    await writing;
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
    for (const key of seen.filter((one) => !one.endsWith("/1"))) {
      const [id, version] = key.split("/");
      expect(seen.indexOf(`${id}/${Number(version) - 1}`)).toBeLessThan(seen.indexOf(key));
    }
  });

  it.each([
    ["an empty feed", 1],
    ["an empty feed", 2],
    ["the end", 1],
    ["the end", 2],
  ])("shows a reader at %s what is published behind statement %i of its page", async (place, statement) => {
    if (place === "the end") await opened.store.create(somebody(), EARLY);
    const { place: end } = await opened.store.changes({ size: 10, oldestFirst: true }, EARLY);
    const written: string[] = [];
    const database = interrupted(opened.database, statement, async () => {
      written.push(`${(await opened.store.create(somebody(), LATE)).id}/1`);
      await opened.store.changes({ size: 1, oldestFirst: false }, LATE);
    });
    const store = patientStore(database, opened.ring);
    const after = place === "the end" ? { after: end } : {};
    const page = await store.changes({ size: 10, oldestFirst: true, ...after }, LATE);
    const next = await store.changes({ size: 10, oldestFirst: true, after: page.place }, LATE);
    expect([page, next].flatMap(({ changes }) => keysOf(changes))).toEqual(written);
  });

  it("is published once by many who ask at once", async () => {
    for (let count = 0; count < 20; count++) await opened.store.create(somebody(), EARLY);
    const feeds = await Promise.all(
      Array.from({ length: 8 }, () => opened.store.changes({ size: 100, oldestFirst: true }, LATE)),
    );
    for (const feed of feeds) expect(feed).toMatchObject({ total: 20, place: { position: 20n } });
  });
});

describe("two publishers at once", () => {
  it("give every change one position, without gaps", async () => {
    await slowDownPublishing();
    const other = patientStore(opened.database, opened.ring);
    for (let count = 0; count < 5; count++) await opened.store.create(somebody(), EARLY);
    const page = { size: 100, oldestFirst: true };
    const feeds = await Promise.all([opened.store.changes(page, LATE), other.changes(page, LATE)]);
    for (const feed of feeds) {
      expect(feed).toMatchObject({ total: 5, place: { position: 5n } });
      expect(new Set(keysOf(feed.changes)).size).toBe(5);
    }
  });
});

/** Whoever publishes is at it for a while, so that others come meanwhile. */
async function slowDownPublishing(): Promise<void> {
  await onServer(opened.databaseUrl, (client) =>
    client.query(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_sleep(0.3); RETURN NULL;
      END $$;
      CREATE TRIGGER linger AFTER INSERT ON feed FOR EACH STATEMENT EXECUTE FUNCTION linger()`),
  );
}

/** One patient, created and then replaced until it has so many versions. */
async function writeSome(versions: number): Promise<void> {
  let patient = await opened.store.create(somebody(), new Date());
  for (let version = 2; version <= versions; version++) {
    const replaced = await opened.store.replace(patient, clone(PatientSchema, patient), new Date());
    if (replaced === "stale") throw new Error("Nobody else writes this patient.");
    patient = replaced;
  }
}

function keysOf(changes: readonly StoredChange[]): string[] {
  return changes.map(({ patient }) => `${patient.id}/${patient.meta?.versionId}`);
}
