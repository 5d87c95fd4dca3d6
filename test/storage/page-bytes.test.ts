import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ExtensionSchema, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import type { DependentStore } from "../../src/dependents/index.ts";
import type { PatientStore, StoredPatient } from "../../src/patients/index.ts";
import type { FeedPlace } from "../../src/resources/index.ts";
import { openDatabase } from "../../src/storage/connection/database.ts";
import { patientStore, relatedPersonStore } from "../../src/storage/index.ts";
import { WayToDatabase } from "../way-to-database.ts";
import { keyOf, NOW, relatedPersons } from "./dependents/stores.ts";
import { type LinkageUnderTest, openLinkage } from "./linkage/linked-patients.ts";
import { somebody } from "./patients/store.ts";

const MANY = 8;
const MEGABYTE = 1_000_000;
/** Of a page come three megabytes and the next version, in hexadecimal digits; of all of them it would be 16. */
const MOST_ANSWERED = 10 * MEGABYTE;

let opened: LinkageUnderTest;
let way: WayToDatabase;
let store: PatientStore;
let contacts: DependentStore<RelatedPerson>;
let close: () => Promise<void>;

beforeAll(async () => {
  opened = await openLinkage();
  way = await WayToDatabase.to(opened.databaseUrl);
  const database = openDatabase({
    url: way.url,
    poolSize: 2,
    preparedStatements: true,
    onConnectionError: () => {},
  });
  store = patientStore(database, opened.ring);
  contacts = relatedPersonStore(database, opened.ring);
  close = () => database.$disconnect();
});

afterAll(async () => {
  await close();
  await way.cut();
  await opened.close();
});

const remark = create(ExtensionSchema, {
  url: "https://example.ee/remark",
  value: { case: "valueString", value: "x".repeat(MEGABYTE) },
});

function large(patient: Patient): Patient {
  return { ...patient, extension: [remark] };
}

/** What work gives, and that it did not cost more than a page. */
async function answeredBy<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = way.answered;
  const result = await work();
  expect(way.answered - before).toBeLessThan(MOST_ANSWERED);
  return result;
}

async function versionsOf(patient: Patient, many = MANY): Promise<bigint> {
  let current = await opened.store.create(patient, NOW);
  for (let n = 1; n < many; n++) {
    const replaced = await opened.store.replace(current, { ...current, language: n % 2 ? "en" : "et" }, NOW);
    if (replaced === "stale") throw new Error("Somebody else was quicker.");
    current = replaced;
  }
  return BigInt(current.id ?? "");
}

it("of a history no more is read than a page holds, from either end", async () => {
  const id = await versionsOf(large(somebody()));
  for (const oldestFirst of [true, false]) {
    const seen: string[] = [];
    for (let after: number | undefined; ; after = Number(seen.at(-1))) {
      const page = { size: 100, oldestFirst, ...(after && { after }) };
      const found = await answeredBy(() => store.history(id, page));
      expect(found?.total).toBe(MANY);
      seen.push(...(found?.changes ?? []).map(({ patient }) => patient.meta?.versionId ?? ""));
      if (!found?.hasMore) break;
    }
    const all = Array.from({ length: MANY }, (_, n) => String(n + 1));
    expect(seen).toEqual(oldestFirst ? all : all.toReversed());
  }
});

it("nor where the identifiers are what is large", async () => {
  const many = Array.from({ length: 8_000 }, (_, n) =>
    create(IdentifierSchema, { system: "https://fhir.ee/sid/pid/fin/ppn", value: `MANY${n}` }),
  );
  const id = await versionsOf({ ...somebody(), identifier: many });
  const found = await answeredBy(() => store.history(id, { size: 100, oldestFirst: true }));
  expect(found?.total).toBe(MANY);
  expect(found?.hasMore).toBe(true);
});

it("nor of the change feed, nor of what a search finds", async () => {
  const ids: string[] = [];
  for (let n = 0; n < MANY; n++) {
    ids.push((await opened.store.create(large(somebody()), NOW)).id ?? "");
  }
  const seen: string[] = [];
  for (let after: FeedPlace | undefined; ; ) {
    const page = { size: 100, oldestFirst: true, ...(after && { after }) };
    const feed = await answeredBy(() => store.changes(page, NOW));
    seen.push(...feed.changes.map(({ patient }) => patient.id ?? ""));
    if (!feed.hasMore) break;
    after = feed.place;
  }
  expect(seen).toHaveLength(3 * MANY);
  expect(seen).toEqual(expect.arrayContaining(ids));
  const found = await answeredBy(() =>
    store.search({ ids: ids.map(BigInt) }, { sort: [], page: 1, size: 100, maximum: 100, mayEndEarly: true }),
  );
  expect(found).toMatchObject({ total: MANY, endsAfter: 3 });
});

it("nor of the histories, the feed and the lists of what lies with a patient", async () => {
  const patient = await opened.store.create(somebody(), NOW);
  const patientId = BigInt(patient.id ?? "");
  const inPlace = relatedPersonStore(opened.database, opened.ring);
  const example = (n: number) => ({ ...relatedPersons.example(`C${n}`), extension: [remark] });
  const first = await inPlace.create(patientId, NOW, () => example(0));
  for (let n = 1; n < MANY; n++) await inPlace.create(patientId, NOW, () => example(n));
  for (let n = 1; n < MANY; n++) {
    await inPlace.change(keyOf(first), NOW, ({ resource }) => ({
      ...resource,
      language: n % 2 ? "en" : "et",
    }));
  }
  const history = await answeredBy(() => contacts.history(keyOf(first), { size: 100, oldestFirst: false }));
  expect(history).toMatchObject({ total: MANY, hasMore: true });
  expect(history?.changes).toHaveLength(3);
  const feed = await answeredBy(() => contacts.changes({ size: 100, oldestFirst: false }, NOW));
  expect(feed).toMatchObject({ total: 2 * MANY - 1, hasMore: true });
  const page = { descending: false, offset: 0, size: 100 };
  const { found, total } = await answeredBy(() => contacts.pageOfPatients([patientId], page));
  expect(total).toBe(MANY);
  expect(found.length).toBeLessThan(MANY);
});

it("of what lies with patients and fits no more is read at once, nor answered", async () => {
  const inPlace = relatedPersonStore(opened.database, opened.ring);
  const patientIds: bigint[] = [];
  for (let patient = 0; patient < 2; patient++) {
    const patientId = BigInt((await opened.store.create(somebody(), NOW)).id ?? "");
    patientIds.push(patientId);
    for (let n = 0; n < MANY / 2; n++) {
      const at = new Date(NOW.getTime() + n);
      await inPlace.create(patientId, at, () => ({
        ...relatedPersons.example(`F${n}`),
        extension: [remark],
        language: n % 2 ? "en" : "et",
      }));
    }
  }
  const inEnglish = (offset: number) =>
    contacts.pageOfFitting(
      patientIds,
      { descending: true, offset, size: 3 },
      ({ resource }) => resource.language === "en",
    );
  way.takeLargestAnswer();
  const [first, second] = [await inEnglish(0), await inEnglish(3)];
  expect(way.takeLargestAnswer()).toBeLessThan(MOST_ANSWERED);
  expect([first.total, second.total]).toEqual([MANY / 2, MANY / 2]);
  const [one, other] = patientIds;
  const idsOf = ({ found }: typeof first) => found.map(({ resource }) => resource.id);
  expect(idsOf(first)).toEqual([`${one}0004`, `${other}0004`, `${one}0002`]);
  expect(idsOf(second)).toEqual([`${other}0002`]);
});

it("of a linked group no more is read at once, and all of its identifiers are known", async () => {
  const primary = await opened.add();
  const members: string[] = [];
  for (let n = 0; n < MANY; n++) {
    const id = await opened.add(["fin/ni"], { extension: [remark] });
    await opened.link(id, primary);
    members.push(id);
  }
  way.takeLargestAnswer();
  const read = await store.read(BigInt(primary));
  expect(way.takeLargestAnswer()).toBeLessThan(MOST_ANSWERED);
  expect(membersOf(read)).toEqual(members.map((id) => ({ id: BigInt(id), identifiers: 1 })));
  const history = await store.history(BigInt(primary), { size: 100, oldestFirst: true });
  expect(way.takeLargestAnswer()).toBeLessThan(MOST_ANSWERED);
  expect(history?.changes.map((change) => membersOf(change)?.length ?? 0)).toEqual(
    Array.from({ length: MANY + 1 }, (_, n) => n),
  );
});

function membersOf(stored: StoredPatient | undefined) {
  if (stored?.group?.role !== "primary") return undefined;
  return stored.group.members.map(({ id, identifiers }) => ({ id, identifiers: identifiers.length }));
}

it("behind a version that alone is larger than a page there is a next one", async () => {
  const larger = { ...remark, value: { case: "valueString" as const, value: "x".repeat(4 * MEGABYTE) } };
  const patient = { ...somebody(), extension: [larger] };
  const id = await versionsOf(patient, 3);
  const patientId = BigInt((await opened.store.create(somebody(), NOW)).id ?? "");
  const example = () => ({ ...relatedPersons.example("L0"), extension: [larger] });
  const first = await relatedPersonStore(opened.database, opened.ring).create(patientId, NOW, example);
  await relatedPersonStore(opened.database, opened.ring).change(keyOf(first), NOW, ({ resource }) => ({
    ...resource,
    language: "en",
  }));
  for (const oldestFirst of [true, false]) {
    const found = await store.history(id, { size: 100, oldestFirst });
    expect(found?.changes).toHaveLength(1);
    expect(found).toMatchObject({ total: 3, hasMore: true });
    const ofContact = await contacts.history(keyOf(first), { size: 100, oldestFirst });
    expect(ofContact?.changes).toHaveLength(1);
    expect(ofContact).toMatchObject({ total: 2, hasMore: true });
  }
});

it("and behind one that its identifiers make larger a search goes on", async () => {
  const sealed = Array.from({ length: 6_000 }, (_, n) =>
    create(IdentifierSchema, { system: "https://fhir.ee/sid/pid/fin/ppn", value: `SEALED${n}` }),
  );
  const long = { ...remark, value: { case: "valueString" as const, value: "x".repeat(2.8 * MEGABYTE) } };
  const patient = { ...somebody(), extension: [long] };
  const ids = [
    await opened.store.create({ ...patient, identifier: sealed }, NOW),
    await opened.store.create(somebody(), NOW),
  ].map((one) => BigInt(one.id ?? ""));
  const page = { sort: [], page: 1, size: 100, maximum: 100, mayEndEarly: true } as const;
  expect(await store.search({ ids }, page)).toMatchObject({ total: 2, endsAfter: 1 });
});
