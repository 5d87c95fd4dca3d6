import { clone } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { PatientStore } from "../../src/patients/index.ts";
import { auditReader, openAuditTrail, patientStore } from "../../src/storage/index.ts";
import { onServer } from "../database.ts";
import { type LinkageUnderTest, openLinkage } from "./linkage/linked-patients.ts";
import { type CountedDatabase, countedDatabase } from "./rows-read.ts";

const NOW = new Date("2026-05-01T10:00:00.000Z");
const MANY = 60;
/** PostgreSQL makes one plan for all parameters of a prepared statement when it was asked a few times. */
const TIMES = 4;
/** What other connections have read before is told at any time, and added: the least of some counts is without that. */
const COUNTS = 3;
/** So many rows more may be read in all that: an index may have a page to step over. */
const SLACK = 2 * TIMES;

let opened: LinkageUnderTest;
let counted: CountedDatabase;
let store: PatientStore;

beforeAll(async () => {
  opened = await openLinkage();
  counted = countedDatabase(opened.databaseUrl);
  store = patientStore(counted.database, opened.ring);
});

afterAll(async () => {
  await counted.database.$disconnect();
  await opened.close();
});

/** How many rows of a table are read by some work that is done a few times. */
async function rowsOf(table: string, work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  while (counts.length < COUNTS) {
    const count = await counted.rowsRead(table, async () => {
      for (let n = 0; n < TIMES; n++) await work();
    });
    counts.push(count);
  }
  return Math.min(...counts);
}

describe("as many rows are read of a patient with many versions as of one with few", () => {
  const lastTimes = new Map<bigint, Date>();
  let few: bigint;
  let many: bigint;

  beforeAll(async () => {
    few = BigInt(await opened.add());
    many = BigInt(await opened.add());
    await change(few, 2);
    await change(many, MANY);
    for (const id of [few, many]) lastTimes.set(id, updatedAt(await patientOf(id)));
  });

  it.each([
    ["by id", (id: bigint) => store.read(id)],
    ["for one version", (id: bigint) => store.readVersion(id, 2)],
    ["for the newest of its history", (id: bigint) => store.history(id, { size: 1, oldestFirst: false })],
    ["for the oldest of its history", (id: bigint) => store.history(id, { size: 1, oldestFirst: true })],
    [
      "for its history since the last version",
      (id: bigint) => store.history(id, { size: 5, oldestFirst: false, since: lastTimes.get(id) as Date }),
    ],
    [
      "for its history since the last version, oldest first",
      (id: bigint) => store.history(id, { size: 5, oldestFirst: true, since: lastTimes.get(id) as Date }),
    ],
  ])("%s", async (_, work) => {
    const rows = (id: bigint) => rowsOf("patient_history", () => work(id));
    expect(await rows(many)).toBeLessThanOrEqual((await rows(few)) + SLACK);
  });
});

it("reads as much for a primary whether its secondary was changed often since they were linked, or not", async () => {
  const primaries: bigint[] = [];
  for (const times of [1, MANY]) {
    const [primary, secondary] = [await opened.add(), await opened.add()];
    await opened.link(secondary, primary);
    await change(BigInt(secondary), times);
    primaries.push(BigInt(primary));
  }
  const [few, many] = [
    await rowsOfReading("patient_history", primaries[0]),
    await rowsOfReading("patient_history", primaries[1]),
  ];
  expect(many).toBeLessThanOrEqual(few + SLACK);
});

it("reads as much for a primary whether many links of it have ended, or none", async () => {
  const primaries: bigint[] = [];
  for (const times of [0, 15]) {
    const [primary, secondary] = [await opened.add(), await opened.add()];
    for (let n = 0; n < times; n++) {
      await opened.link(secondary, primary);
      await opened.unlink(secondary, primary);
    }
    await opened.link(secondary, primary);
    primaries.push(BigInt(primary));
  }
  const [few, many] = [
    await rowsOfReading("link_group_history", primaries[0]),
    await rowsOfReading("link_group_history", primaries[1]),
  ];
  expect(many).toBeLessThanOrEqual(few + SLACK);
});

describe("as many rows are read of a long change feed as of a short one", () => {
  it.each([
    ["newest first", false],
    ["oldest first", true],
  ])("%s", async (_, oldestFirst) => {
    await opened.add();
    const { changes, total } = await store.changes({ size: 1, oldestFirst: false }, new Date());
    const last = changes[0]?.publishedAt;
    if (!last) throw new Error("Nothing was published.");
    const page = () => store.changes({ size: 1, oldestFirst, since: last }, new Date());
    const few = await rowsOf("feed", page);
    await publishLongAgo(3000);
    await opened.add();
    const late = (await store.changes({ size: 1, oldestFirst: false }, new Date())).changes[0]?.publishedAt;
    const pageOfLate = () => store.changes({ size: 1, oldestFirst, since: late as Date }, new Date());
    expect(await rowsOf("feed", pageOfLate)).toBeLessThanOrEqual(few + SLACK);
    expect(await rowsOf("feed", page)).toBeLessThanOrEqual(few + SLACK);
    expect((await pageOfLate()).total).toBe(1);
    expect((await page()).total).toBeGreaterThan(3000 - total);
  });
});

it("publishes changes without reading what waits beside them for those who are told of it", async () => {
  const page = () => store.changes({ size: 1, oldestFirst: false }, new Date());
  await page();
  const alone = await rowsOf("outbox", page);
  await onServer(opened.databaseUrl, (client) =>
    client.query(
      `INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at, payload)
       SELECT 1, 1000000 + n, 'wm', 'Patient', 0, 1, timestamp '2026-05-01', '{}' FROM generate_series(1, 3000) AS n`,
    ),
  );
  expect(await rowsOf("outbox", page)).toBeLessThanOrEqual(alone + SLACK);
  const id = await opened.add();
  expect((await page()).changes.map(({ patient }) => patient.id)).toEqual([id]);
});

it("reads no more of a long trail for its newest entries, but for counting them, than of a short one", async () => {
  const trail = await openAuditTrail(opened.database, opened.ring, NOW, () => undefined);
  const reader = auditReader(counted.database, opened.ring);
  const lengths = new Map([
    [8001n, 20],
    [8002n, 2000],
  ]);
  for (const [patientId, length] of lengths) {
    const entries = Array.from({ length }, (_, n) => ({
      action: "R" as const,
      patientId,
      recordedAt: new Date(NOW.getTime() + n),
    }));
    await trail.record(entries);
  }
  const rows = (id: bigint) =>
    rowsOf("audit_event", () => reader.find({ patients: [id], spans: [], size: 2 }));
  const [few, many] = [await rows(8001n), await rows(8002n)];
  expect(many - few).toBeLessThanOrEqual(TIMES * (2000 - 20) + SLACK);
});

function rowsOfReading(table: string, id: bigint | undefined): Promise<number> {
  return rowsOf(table, () => store.read(id ?? 0n));
}

/** Changes a patient so many times, nothing of it that its primary shows. */
async function change(id: bigint, times: number): Promise<void> {
  let current = await patientOf(id);
  for (let n = 0; n < times; n++) {
    const next = { ...clone(PatientSchema, current), birthDate: `19${10 + (n % 80)}-01-01` };
    const replaced = await opened.store.replace(current, next, NOW);
    if (replaced === "stale") throw new Error("Nobody else writes this patient.");
    current = replaced;
  }
}

async function patientOf(id: bigint): Promise<Patient> {
  const stored = await opened.store.read(id);
  if (!stored) throw new Error("The patient is gone.");
  return stored.patient;
}

function updatedAt({ meta }: Patient): Date {
  if (!meta?.lastUpdated) throw new Error("A stored patient has a time.");
  return timestampDate(meta.lastUpdated);
}

/** As if so many versions were published at once with the last one. */
async function publishLongAgo(count: number): Promise<void> {
  await onServer(opened.databaseUrl, (client) =>
    client.query(
      `INSERT INTO feed (resource_type, position, published_at, patient_id, dependent, version)
       SELECT 'Patient', last.position + n, last.published_at, last.patient_id, 0, last.version
       FROM (SELECT * FROM feed WHERE resource_type = 'Patient' ORDER BY position DESC LIMIT 1) AS last,
         generate_series(1, $1) AS n`,
      [count],
    ),
  );
}
