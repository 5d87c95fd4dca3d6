import { clone } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { RecordedEntry } from "../../../src/audit/index.ts";
import { underCall, underSignal } from "../../../src/call/current-call.ts";
import { relatedPersonStore, unitOfWork } from "../../../src/storage/index.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../../database.ts";
import { contactPerson } from "../../related-persons/examples.ts";
import { somebody } from "../patients/store.ts";
import { storedText } from "../stored-text.ts";
import { type AuditedStores, asDoctor, callOf, DOCTOR, entriesOf, openAudited, readOf } from "./trail.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");
const ACTOR = {
  personalCode: "38001085718",
  name: "Mari Maasikas",
  organization: "90009016",
  role: "doctor",
};

let opened: AuditedStores;

beforeAll(async () => {
  opened = await openAudited();
});

afterAll(async () => {
  await opened.close();
});

describe("writes", () => {
  it("leave an entry each, with who, why and what, in the stream of the patient", async () => {
    const { store, reader } = opened;
    const created = await asDoctor("PatientService/CreatePatient", () => store.create(somebody(), NOW));
    const id = BigInt(created.id ?? "");
    await asDoctor("PatientService/UpdatePatient", () =>
      store.replace(created, { ...created, active: false }, NOW),
    );
    const shared = { patientId: id, requestId: "request-1", issue: DOCTOR.issue, actor: ACTOR };
    expect(await entriesOf(reader, id)).toMatchObject([
      { ...shared, action: "C", method: "PatientService/CreatePatient", recordedAt: NOW },
      { ...shared, action: "U", method: "PatientService/UpdatePatient" },
    ]);
  });

  it("of what lies with a patient name it", async () => {
    const { store, reader, database, ring } = opened;
    const { id = "" } = await store.create(somebody(), NOW);
    const contacts = relatedPersonStore(database, ring);
    const contact = await contacts.create(BigInt(id), NOW, () => contactPerson({}));
    await contacts.delete({ patientId: BigInt(id), n: 1 }, NOW, () => undefined);
    const resources = [`RelatedPerson/${contact?.id}`];
    expect(await entriesOf(reader, BigInt(id))).toMatchObject([
      { action: "C" },
      { action: "C", resources },
      { action: "D", resources },
    ]);
  });

  it("of links leave one with each of the pair", async () => {
    const [source, target] = [await opened.add(["fin/ni"]), await opened.add(["lva/ni"])];
    await asDoctor("LinkageService/LinkPatients", () => opened.link(source, target));
    await asDoctor("LinkageService/UnlinkPatients", () => opened.unlink(source, target));
    for (const id of [source, target]) {
      const entries = await entriesOf(opened.reader, BigInt(id));
      expect(entries.map(({ action, method }) => [action, method])).toEqual([
        ["C", undefined],
        ["U", "LinkageService/LinkPatients"],
        ["U", "LinkageService/UnlinkPatients"],
      ]);
    }
  });

  it("that are refused leave none", async () => {
    const { store, reader } = opened;
    const created = await store.create(somebody(), NOW);
    await expect(store.create(created, NOW)).rejects.toThrow();
    const next = (active: boolean) => ({ ...clone(PatientSchema, created), active });
    const seen = clone(PatientSchema, created);
    await store.replace(seen, next(false), NOW);
    expect(await store.replace(seen, next(true), NOW)).toBe("stale");
    expect(await entriesOf(reader, BigInt(created.id ?? ""))).toMatchObject([
      { action: "C" },
      { action: "U" },
    ]);
  });

  it("tell the call only what is committed", async () => {
    const { store } = opened;
    const call = callOf("PatientService/CreatePatient", "r");
    const created = await underCall(call, () => store.create(somebody(), NOW));
    await underCall(call, () => store.create(created, NOW)).catch(() => undefined);
    expect([...call.accesses.recorded]).toEqual([BigInt(created.id ?? "")]);
  });

  it("that are parts of a whole leave entries with it, but for parts that failed", async () => {
    const { store, reader, database, ring } = opened;
    const taken = await store.create(somebody(), NOW);
    const call = callOf("TransactionService/ProcessTransaction", "whole");
    const created = await underCall(call, () =>
      unitOfWork(database, ring).run(async () => {
        const first = await store.create(somebody(), NOW);
        await store.create(taken, NOW).catch(() => undefined);
        await opened.trail.record([readOf(9050n)]);
        expect(call.accesses.recorded.size).toBe(0);
        return first;
      }),
    );
    expect([...call.accesses.recorded]).toEqual([BigInt(created.id ?? "")]);
    expect(await entriesOf(reader, BigInt(created.id ?? ""))).toMatchObject([{ requestId: "whole" }]);
    const undone = unitOfWork(database, ring).run(async () => {
      await store.replace(created, { ...created, active: false }, NOW);
      await opened.trail.record([readOf(9050n)]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await entriesOf(reader, BigInt(created.id ?? ""))).toHaveLength(1);
    expect(await entriesOf(reader, 9050n)).toHaveLength(2);
    expect(await opened.problems()).toEqual([]);
  });

  it("make a chain without gaps while many write at once", async () => {
    const { store, reader } = opened;
    const created = await store.create(somebody(), NOW);
    const contacts = relatedPersonStore(opened.database, opened.ring);
    const id = BigInt(created.id ?? "");
    await Promise.all(Array.from({ length: 20 }, () => contacts.create(id, NOW, () => contactPerson({}))));
    expect(await entriesOf(reader, id)).toHaveLength(21);
    expect(await opened.problems()).toEqual([]);
  });
});

describe("the lane of a process", () => {
  it("holds a row for each patient, in the order of recording", async () => {
    const patients = [9001n, 9002n, 9003n];
    await Promise.all(
      patients.map((patientId, place) =>
        opened.trail.record([readOf(patientId, { requestId: `r${place}` })]),
      ),
    );
    await opened.trail.record([readOf(9001n), readOf(9002n)]);
    expect(await entriesOf(opened.reader, 9001n)).toMatchObject([{ requestId: "r0" }, { action: "R" }]);
    expect(await entriesOf(opened.reader, ...patients)).toHaveLength(5);
    expect(await opened.problems()).toEqual([]);
  });

  it("takes more than fits into one statement, and entries of nobody", async () => {
    const many = Array.from({ length: 2_500 }, () => opened.trail.record([readOf(undefined)]));
    await Promise.all([...many, opened.trail.record(Array.from({ length: 1_500 }, () => readOf(9100n)))]);
    const { total } = await opened.reader.find({ patients: [9100n], spans: [], size: 0 });
    expect(total).toBe(1_500);
    expect(await opened.problems()).toEqual([]);
  });

  it("lets no call wait for several that record more than fits into one statement", async () => {
    const written: string[] = [];
    const record = async (name: string, entries: number) => {
      await opened.trail.record(Array.from({ length: entries }, () => readOf(9150n)));
      written.push(name);
    };
    const large = ["one", "another", "a third"].map((name) => record(name, 1_001));
    await Promise.all([...large, record("small", 1)]);
    expect(written).toEqual(["one", "small", "another", "a third"]);
  });

  it("does not end with the call that began the batch", async () => {
    const controller = new AbortController();
    const recorded = underSignal(controller.signal, () => opened.trail.record([readOf(9200n)]));
    controller.abort(new Error("hung up"));
    await recorded;
    expect(await entriesOf(opened.reader, 9200n)).toHaveLength(1);
  });

  it("fails the calls of a batch that cannot be written, and goes on in a new stream", async () => {
    await opened.trail.record([readOf(9300n)]);
    await opened.tamper(
      "ALTER TABLE audit_event ADD CONSTRAINT full_disk CHECK (patient_id <> 9301) NOT VALID",
    );
    await expect(opened.trail.record([readOf(9301n)])).rejects.toThrow();
    await opened.trail.record([readOf(9300n)]);
    const { entries } = await opened.reader.find({ patients: [9300n], spans: [], size: 10 });
    expect(new Set(entries.map(({ streamId }) => streamId)).size).toBe(2);
    expect(await opened.problems()).toEqual([]);
  });
});

describe("reading", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 5, 2, 12, minute));

  beforeAll(async () => {
    const minutes = [0, 1, 2, 3, 4];
    for (const minute of minutes) await opened.trail.record([readOf(9500n, { recordedAt: at(minute) })]);
  });

  it("gives the newest first, page by page", async () => {
    const query = { patients: [9500n], spans: [], size: 2 };
    const first = await opened.reader.find(query);
    expect(first).toMatchObject({ total: 5, hasMore: true });
    const second = await opened.reader.find({ ...query, after: first.entries[1] });
    const third = await opened.reader.find({ ...query, after: second.entries[1] });
    expect(third.hasMore).toBe(false);
    const found = [first, second, third].flatMap(({ entries }) => entries);
    expect(found.map(({ recordedAt }) => recordedAt)).toEqual([4, 3, 2, 1, 0].map(at));
  });

  it.each([
    ["a few patients", 3],
    ["many patients", 12],
  ])("gives those of %s in one order, page by page", async (_, count) => {
    const patients = Array.from({ length: count }, (_, n) => BigInt(9600 + 100 * count + n));
    for (const [n, id] of [...patients, ...patients].entries()) {
      await opened.trail.record([readOf(id, { recordedAt: at(n) })]);
    }
    const query = { patients, spans: [{ from: at(1) }], size: 2 };
    const found: RecordedEntry[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await opened.reader.find({ ...query, after: found.at(-1) });
      expect(page.total).toBe(2 * count - 1);
      found.push(...page.entries);
      hasMore = page.hasMore;
    }
    const order = Array.from({ length: 2 * count - 1 }, (_, n) => at(2 * count - 1 - n));
    expect(found.map(({ recordedAt }) => recordedAt)).toEqual(order);
    expect(new Set(found.map(({ patientId }) => patientId))).toEqual(new Set(patients));
  });

  it("is empty for nobody", async () => {
    const page = await opened.reader.find({ patients: [], spans: [], size: 2 });
    expect(page).toEqual({ entries: [], total: 0, hasMore: false });
  });

  it("gives those of a time", async () => {
    const found = async (spans: Parameters<typeof opened.reader.find>[0]["spans"]) =>
      (await opened.reader.find({ patients: [9500n], spans, size: 10 })).entries.map(({ recordedAt }) =>
        recordedAt.getUTCMinutes(),
      );
    expect(await found([{ from: at(3) }])).toEqual([4, 3]);
    expect(await found([{ from: at(1) }, { to: at(2) }])).toEqual([2, 1]);
    expect(await found([{ from: at(1), to: at(3), outside: true }])).toEqual([4, 0]);
  });
});

describe("what is kept", () => {
  let untouched: TestDatabase;

  beforeAll(async () => {
    untouched = await createTestDatabase();
  });

  afterAll(async () => {
    await untouched.drop();
  });

  it("names nobody in the clear, and no reason", async () => {
    await asDoctor("PatientService/CreatePatient", () => opened.store.create(somebody(), NOW));
    await opened.trail.record([readOf(9400n, { actor: { ...ACTOR }, issue: DOCTOR.issue })]);
    const text = await storedText(opened.databaseUrl);
    for (const secret of [ACTOR.personalCode, "Maasikas", "käsitlus", "90009016"])
      expect(text).not.toContain(secret);
  });

  it.each([
    "UPDATE audit_event SET n = n + 1",
    "DELETE FROM audit_event",
    "TRUNCATE audit_event",
    "DELETE FROM audit_stream",
  ])("is refused to the service: %s", async (statement) => {
    const fresh = await openAudited();
    try {
      await expect(onServer(fresh.databaseUrl, (client) => client.query(statement))).rejects.toMatchObject({
        code: "42501",
      });
    } finally {
      await fresh.close();
    }
  });
});
