import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { Dependent } from "../../../src/dependents/index.ts";
import { contactPerson } from "../../related-persons/examples.ts";
import {
  keyOf,
  LATER,
  NOW,
  newPatient,
  observations,
  openStore,
  relatedPersons,
  type StoreUnderTest,
} from "./stores.ts";

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

it("contact persons and observations of a patient share no number, so that none opens another's values", async () => {
  const patient = await newPatient(opened);
  const contacts = relatedPersons.open(opened);
  const statuses = observations.open(opened);
  const contact = await contacts.create(patient.number, NOW, () => relatedPersons.example("A1"));
  const status = await statuses.create(patient.number, NOW, () => observations.example("B2"));
  expect([contact?.id, status?.id]).toEqual([`${patient.id}0001`, `${patient.id}0002`]);
  expect(await contacts.read(keyOf(status))).toBeUndefined();
});

it("a decision sees the patient's identifiers and the contact persons that are not deleted", async () => {
  const patient = await newPatient(opened);
  const contacts = relatedPersons.open(opened);
  const kept = await contacts.create(patient.number, NOW, () => relatedPersons.example("A1"));
  const gone = await contacts.create(patient.number, NOW, () => relatedPersons.example("A2"));
  await contacts.delete(keyOf(gone), NOW, () => undefined);
  await observations.open(opened).create(patient.number, NOW, (around) => {
    expect(around.groupIdentifiers).toEqual(patient.identifier);
    expect(around.relatedPersons).toEqual([kept]);
    return observations.example("B2");
  });
});

it("a patient and its dependents, written at once, are all written and all in their feeds", async () => {
  const patient = await newPatient(opened);
  const contacts = relatedPersons.open(opened);
  const statuses = observations.open(opened);
  const before = await totals();
  await Promise.all([
    ...Array.from({ length: 6 }, () =>
      contacts.create(patient.number, LATER, () => relatedPersons.example("A")),
    ),
    ...Array.from({ length: 6 }, () =>
      statuses.create(patient.number, LATER, () => observations.example("B")),
    ),
    replaceUntilDone(patient.number),
    replaceUntilDone(patient.number),
  ]);
  const all = { descending: false, offset: 0, size: 100 };
  expect((await contacts.pageOfPatients([patient.number], all)).found).toHaveLength(6);
  expect((await statuses.pageOfPatients([patient.number], all)).found).toHaveLength(6);
  expect((await opened.store.read(patient.number))?.patient.etag).toBe('W/"3"');
  const after = await totals();
  expect(after.map((total, at) => total - (before[at] ?? 0))).toEqual([2, 6, 6]);
});

it("an identifier that ends keeps its row, which tells when", async () => {
  const patient = await newPatient(opened);
  const contacts = relatedPersons.open(opened);
  const identifier = { system: "https://fhir.ee/sid/pid/fin/ni", value: "010190-123A" };
  const created = await contacts.create(patient.number, NOW, () =>
    contactPerson({ identifier: [identifier] }),
  );
  const ended = contactPerson({ identifier: [{ ...identifier, period: { end: "2026-01-31" } }] });
  await contacts.change(keyOf(created), LATER, () => ended);
  const rows = await opened.database.identifierValue.findMany({
    where: { patientId: patient.number, owner: BigInt(created?.id ?? "") },
  });
  expect(rows.map(({ periodEnd }) => periodEnd?.toISOString())).toEqual(["2026-01-31T21:59:59.999Z"]);
});

it("a history may be asked for since an instant", async () => {
  const patient = await newPatient(opened);
  const contacts = relatedPersons.open(opened);
  const created = await contacts.create(patient.number, NOW, () => relatedPersons.example("A"));
  await contacts.change(keyOf(created), LATER, ({ resource }) => resource);
  const page = { size: 5, oldestFirst: true };
  const since = await contacts.history(keyOf(created), { ...page, since: LATER });
  expect(since?.changes.map(({ resource }) => changedAt(resource))).toEqual([LATER]);
  expect(since?.total).toBe(1);
  const later = new Date(LATER.getTime() + 1);
  expect(await contacts.history(keyOf(created), { ...page, since: later })).toMatchObject({
    changes: [],
    total: 0,
  });
});

async function totals(): Promise<number[]> {
  const page = { size: 1, oldestFirst: false };
  const found = [
    await opened.store.changes(page, LATER),
    await relatedPersons.open(opened).changes(page, LATER),
    await observations.open(opened).changes(page, LATER),
  ];
  return found.map(({ total }) => total);
}

/** Replaces a patient once, whoever else writes. */
async function replaceUntilDone(id: bigint): Promise<Patient> {
  for (;;) {
    const current = (await opened.store.read(id))?.patient;
    if (!current) throw new Error("The patient is gone.");
    const replaced = await opened.store.replace(current, current, LATER);
    if (replaced !== "stale") return replaced;
  }
}

function changedAt({ meta }: Dependent): Date | undefined {
  return meta?.lastUpdated && timestampDate(meta.lastUpdated);
}
