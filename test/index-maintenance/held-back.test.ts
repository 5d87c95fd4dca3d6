import { clone } from "@bufbuild/protobuf";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { writtenByRegister } from "../../src/call/author.ts";
import { reencryptIndex } from "../../src/index-maintenance/index.ts";
import { IdentifierTaken } from "../../src/patients/ports.ts";
import {
  answerStore,
  isOutOfReach,
  linkStore,
  observationStore,
  openAuditTrail,
  openPatientLoader,
  patientStore,
  relatedPersonStore,
  unitOfWork,
} from "../../src/storage/index.ts";
import { onServer, type TestDatabase } from "../database.ts";
import { maritalStatus } from "../observations/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { somebody } from "../storage/patients/store.ts";
import type { WayToDatabase } from "../way-to-database.ts";
import {
  addSecondary,
  type KeysOfOperator,
  NOW,
  newRun,
  type Process,
  startProcess,
  startTwoOnWay,
  stopTwo,
} from "./processes.ts";

const REGISTER = "https://example.org/register";
const BEGINNING = /^BEGIN/;

let database: TestDatabase;
let keys: KeysOfOperator;
let one: Process;
/** Everything that it sends goes this way. */
let other: Process;
let way: WayToDatabase;

beforeEach(async () => {
  ({ database, keys, one, other, way } = await startTwoOnWay());
});

afterEach(async () => {
  vi.restoreAllMocks();
  way.letThrough();
  await stopTwo({ database, one, other });
  await way.cut();
});

describe.each([
  { place: "on one server", gatherLookups: true, creation: /^\s*WITH written/, update: /^\s*WITH written/ },
  { place: "in a cluster", gatherLookups: false, creation: BEGINNING, update: BEGINNING },
])("what is held back $place until a rotation has ended, sealed under the key from before", (kind) => {
  const theirs = () => patientStore(other.database, other.followed.ring, kind);

  it("is created under the new key", async () => {
    const created = await heldBack(kind.creation, () => theirs().create(somebody("fin", "lva"), NOW));
    await expectWhole(created);
  });

  it("is not created when somebody else has taken its identifier meanwhile", async () => {
    const person = somebody();
    const creating = heldBack(
      kind.creation,
      () => theirs().create(clone(PatientSchema, person), NOW),
      () => one.store.create(clone(PatientSchema, person), NOW),
    );
    await expect(creating).rejects.toBeInstanceOf(IdentifierTaken);
    expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
  });

  it("is updated under the new key", async () => {
    const current = await stored(other);
    const next = { ...clone(PatientSchema, current), language: "et" };
    const replaced = await heldBack(kind.update, () => theirs().replace(current, next, NOW));
    expect(replaced).toMatchObject({ language: "et" });
    await expectWhole(next);
  });

  it("is stale when somebody else has updated it meanwhile", async () => {
    const current = await stored(other);
    const next = { ...clone(PatientSchema, current), language: "et" };
    const replacing = heldBack(
      kind.update,
      () => theirs().replace(current, next, NOW),
      () => one.store.replace(clone(PatientSchema, current), { ...next, language: "lv" }, NOW),
    );
    expect(await replacing).toBe("stale");
  });

  it("takes another identifier under the new key, and lets one end", async () => {
    const current = await stored(other);
    const next = clone(PatientSchema, current);
    next.identifier.push(...somebody("lva").identifier);
    for (const identifier of next.identifier)
      identifier.period = { $typeName: "patientindex.v1.Period", extension: [], end: "2026-05-05" };
    await heldBack(BEGINNING, () => theirs().replace(current, next, NOW));
    await expectWhole(next);
    expect(await endsOfIdentifiers()).toEqual([true, true]);
  });
});

describe("what is held back until a rotation has ended is written under the new key:", () => {
  it("a contact person", async () => {
    const id = idOf(await stored(other));
    const store = (process: Process) => relatedPersonStore(process.database, process.followed.ring);
    const created = await heldBack(BEGINNING, () => store(other).create(id, NOW, () => contactPerson()));
    const page = { offset: 0, size: 10, descending: false };
    const { found } = await store(one).pageOfPatients([id], page);
    expect(found.map(({ resource }) => resource.identifier)).toEqual([created?.identifier]);
    expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
  });

  it("an observation", async () => {
    const id = idOf(await stored(other));
    const store = observationStore(other.database, other.followed.ring);
    const identifier = [{ system: "https://example.org/acts", value: "7" }];
    await heldBack(BEGINNING, () => store.create(id, NOW, () => maritalStatus({ identifier })));
    expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
  });

  it("a link", async () => {
    const [source, target] = [idOf(await stored(other)), idOf(await stored(other))];
    const store = linkStore(other.database, other.followed.ring);
    const decide = () => ({ deactivate: false });
    const linked = await heldBack(BEGINNING, () => store.link({ source, target }, decide, NOW, "outbox"));
    expect(linked.patient).toMatchObject({ id: String(target), meta: { versionId: "2" } });
    expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
  });

  it("many patients", async () => {
    const { database: connections, followed } = other;
    const settings = { url: way.url, database: connections, keys: followed.ring, connections: 1 };
    const loader = openPatientLoader(settings);
    const people = [somebody(), somebody()];
    await heldBack(BEGINNING, () => loader.load(people, NOW));
    await loader.close();
    for (const person of people) await expectWhole(person);
  });

  it("a unit of work", async () => {
    const people = [somebody(), somebody()];
    const unit = unitOfWork(other.database, other.followed.ring);
    await heldBack(BEGINNING, () =>
      unit.run(async () => {
        for (const person of people) await other.store.create(person, NOW);
      }),
    );
    for (const person of people) await expectWhole(person);
  });

  it("an answer of a register", async () => {
    const store = (process: Process) => answerStore(process.database, process.followed.ring, () => undefined);
    const question = { personalCode: "38001085718", query: "population.ReadPerson" };
    const later = new Date(NOW.getTime() + 1_000);
    await heldBack(BEGINNING, () => store(other).keep(question, Uint8Array.of(7), later));
    expect(await store(one).read(question, NOW)).toEqual(Uint8Array.of(7));
    expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
  });

  it("a key of audit entries", async () => {
    const { database: connections, followed } = other;
    await heldBack(/INSERT INTO audit_key/, () =>
      openAuditTrail(connections, followed.ring, NOW, () => undefined),
    );
    expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
  });
});

it("what is held back of a process that lacks the new key is not written, and its caller is told to come back", async () => {
  const lacking = await startProcess(way.url, { held: keys.held });
  try {
    const creating = heldBack(/^\s*WITH written/, () => lacking.store.create(somebody(), NOW));
    expect(await creating.then(() => undefined, isOutOfReach)).toBe(true);
    expect(await keysOfTables()).toEqual([]);
  } finally {
    way.letThrough();
    await lacking.stop();
  }
});

/**
 * What work of the other process sends, from such a statement on, is held back on its way until the process is not heard of
 * any more, a rotation has ended without it, and something else has happened.
 */
async function heldBack<Result>(
  statement: RegExp,
  work: () => Promise<Result>,
  happens: () => Promise<unknown> = async () => undefined,
): Promise<Result> {
  const held = heldFrom(statement);
  const working = writtenByRegister(REGISTER, work);
  await Promise.race([held, working]);
  await countAsGone();
  addSecondary(keys);
  await reencryptIndex(one.rotations).run(newRun());
  await happens();
  way.letThrough();
  return await working;
}

function heldFrom(statement: RegExp): Promise<void> {
  const send = pg.Client.prototype.query as (...all: unknown[]) => unknown;
  return new Promise((held) => {
    const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
      this: unknown,
      ...all: unknown[]
    ) {
      if (statement.test(textOf(all[0]))) {
        way.silence();
        spy.mockRestore();
        held();
      }
      return send.apply(this, all);
    } as never);
  });
}

function textOf(query: unknown): string {
  return typeof query === "string" ? query : ((query as { text?: string }).text ?? "");
}

/** As if it had given no sign for a minute. */
async function countAsGone(): Promise<void> {
  await onServer(database.url, (client) => client.query("DELETE FROM index_key_user"));
}

async function stored({ store }: Process): Promise<Patient> {
  const { id = "" } = await store.create(somebody(), NOW);
  const read = await store.read(BigInt(id));
  if (!read) throw new Error("What was stored is not there.");
  return read.patient;
}

/** Everybody finds and opens it, and nothing is under another key than that of now. */
async function expectWhole(patient: Patient): Promise<void> {
  const id = idOf(patient);
  for (const { store } of [one, other]) {
    for (const { value = "" } of patient.identifier) expect(await store.holders([{ value }])).toEqual([id]);
    expect((await store.read(id))?.patient.identifier).toEqual(patient.identifier);
  }
  expect(await keysOfTables()).toEqual([keys.held.secondary?.keyId]);
}

function idOf({ id = "" }: Patient): bigint {
  return BigInt(id);
}

async function keysOfTables(): Promise<unknown[]> {
  const { rows } = await onServer(database.url, (client) =>
    client.query(
      `SELECT key_id FROM identifier UNION SELECT key_id FROM identifier_value UNION SELECT key_id FROM register_answer
       UNION SELECT sealed_by FROM audit_key
       UNION SELECT author_key_id FROM patient_history WHERE author IS NOT NULL
       UNION SELECT author_key_id FROM related_person_history WHERE author IS NOT NULL
       UNION SELECT author_key_id FROM observation_history WHERE author IS NOT NULL`,
    ),
  );
  return rows.map(({ key_id }) => key_id);
}

async function endsOfIdentifiers(): Promise<unknown[]> {
  const { rows } = await onServer(database.url, (client) =>
    client.query("SELECT period_end IS NOT NULL AS ended FROM identifier"),
  );
  return rows.map(({ ended }) => ended);
}
