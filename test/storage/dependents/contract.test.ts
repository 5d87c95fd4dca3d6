import { randomUUID } from "node:crypto";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { MAXIMUM_NUMBER } from "../../../src/dependents/dependent-id.ts";
import type { Dependent, DependentStore } from "../../../src/dependents/index.ts";
import { NumbersExhausted } from "../../../src/dependents/ports.ts";
import { statementsOf } from "../linkage/statements.ts";
import { storedText } from "../stored-text.ts";
import {
  keyOf,
  LATER,
  NOW,
  newPatient,
  observations,
  openStore,
  relatedPersons,
  type StoreUnderTest,
  type TypeUnderTest,
} from "./stores.ts";

const ALL = { descending: false, offset: 0, size: 100 };

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

describe.each([{ type: relatedPersons }, { type: observations }])("stored $type.name", ({ type }) => {
  // The contract is one for all types; each statement puts in and compares resources of the same one.
  contract(type as unknown as TypeUnderTest<Dependent>);
});

function contract(type: TypeUnderTest<Dependent>): void {
  let store: DependentStore<Dependent>;

  beforeAll(() => {
    store = type.open(opened);
  });

  async function stored(value: string = randomUUID()) {
    const patient = await newPatient(opened);
    const created = await store.create(patient.number, NOW, () => type.example(value));
    return { patient, created, key: keyOf(created) };
  }

  async function allOf(patient: bigint) {
    return (await store.pageOfFitting([patient], ALL, () => true)).found;
  }

  it("are read as they were given, with an id that carries the patient's, version 1 and the time", async () => {
    const { patient, created, key } = await stored();
    const read = await store.read(key);
    expect(created?.id).toBe(`${patient.id}0001`);
    expect(created?.etag).toBe('W/"1"');
    expect(created?.meta?.lastUpdated && timestampDate(created.meta.lastUpdated)).toEqual(NOW);
    expect(read).toEqual({ resource: created, deleted: false });
    expect({ ...type.copy(created as Dependent), id: undefined, meta: undefined, etag: "" }).toEqual({
      ...type.example(identifierOf(created)),
      id: undefined,
      meta: undefined,
    });
  });

  it("are there once they were stored, deleted ones too", async () => {
    const { key } = await stored();
    await store.delete(key, LATER, () => undefined);
    const never = { ...key, n: MAXIMUM_NUMBER };
    expect([await store.exists(key), await store.exists(never)]).toEqual([true, false]);
  });

  it("are not stored without their patient, nor when the decision refuses", async () => {
    const { patient } = await stored();
    const refuse = () => {
      throw new RangeError("refused");
    };
    expect(await store.create(9_999_999n, NOW, () => type.example("1"))).toBeUndefined();
    await expect(store.create(patient.number, NOW, refuse)).rejects.toThrow(RangeError);
    expect(await allOf(patient.number)).toHaveLength(1);
  });

  it("keep every version, and the deletion as the last one", async () => {
    const { created, key } = await stored();
    const replaced = await store.change(key, LATER, ({ resource }) => type.changed(resource, "et"));
    const deleted = await store.delete(key, LATER, () => undefined);
    expect(replaced?.resource.etag).toBe('W/"2"');
    expect(await store.readVersion(key, 1)).toEqual({ resource: created, deleted: false });
    expect(await store.readVersion(key, 2)).toEqual(replaced);
    expect(deleted).toMatchObject({ deleted: true, resource: { id: created?.id, etag: 'W/"3"' } });
    expect(await store.read(key)).toEqual(deleted);
    expect(await store.readVersion(key, 4)).toBeUndefined();
    const history = await store.history(key, { size: 2, oldestFirst: false });
    expect(history).toMatchObject({ total: 3, hasMore: true });
    expect(history?.changes.map(({ interaction }) => interaction)).toEqual([
      ChangeInteraction.DELETE,
      ChangeInteraction.UPDATE,
    ]);
    const rest = await store.history(key, { size: 2, oldestFirst: false, after: 2 });
    expect(rest?.changes).toEqual([{ resource: created, interaction: ChangeInteraction.CREATE }]);
  });

  it("count as changed later than before, also when the clock stands or goes back", async () => {
    const { key } = await stored();
    const earlier = new Date(NOW.getTime() - 60_000);
    const replaced = await store.change(key, earlier, ({ resource }) => resource);
    const at = replaced?.resource.meta?.lastUpdated;
    expect(at && timestampDate(at)).toEqual(new Date(NOW.getTime() + 1));
  });

  it("are not deleted when that is refused, nor a second time", async () => {
    const { created, key } = await stored();
    const refuse = ({ etag }: Dependent) => {
      throw new RangeError(etag);
    };
    await expect(store.delete(key, LATER, refuse)).rejects.toThrow(new RangeError('W/"1"'));
    expect(await store.read(key)).toEqual({ resource: created, deleted: false });
    const deleted = await store.delete(key, LATER, () => undefined);
    expect(await store.delete(key, LATER, refuse)).toEqual(deleted);
    expect((await store.history(key, { size: 5, oldestFirst: true }))?.total).toBe(2);
  });

  it("are nobody's under another id", async () => {
    const { patient } = await stored();
    const nobody = { patientId: patient.number, n: 77 };
    expect(await store.read(nobody)).toBeUndefined();
    expect(await store.delete(nobody, NOW, () => undefined)).toBeUndefined();
    expect(await store.history(nobody, { size: 5, oldestFirst: false })).toBeUndefined();
  });

  it("that fit are found with several patients by one statement, by the time of their last change and then by their ids", async () => {
    const [one, other, third] = [await stored(), await stored(), await stored()];
    const second = await store.create(one.patient.number, LATER, () => type.example("second"));
    const ids = [third.patient.number, one.patient.number];
    let found: unknown;
    const statements = await statementsOf(async () => {
      found = await store.pageOfFitting(ids, ALL, () => true);
    });
    expect(statements).toBe(1);
    const inOrder = [one.created, third.created, second].map((resource) => ({ resource }));
    expect(found).toEqual({ found: inOrder, total: 3 });
    expect(await allOf(other.patient.number)).toEqual([{ resource: other.created }]);
    expect(await store.pageOfFitting([], ALL, () => true)).toEqual({ found: [], total: 0 });
    const newest = { descending: true, offset: 1, size: 1 };
    expect(await store.pageOfFitting(ids, newest, ({ resource }) => resource.id !== one.created?.id)).toEqual(
      {
        found: [{ resource: third.created }],
        total: 2,
      },
    );
  });

  it("are listed page by page, by the time of their last change and then by their ids", async () => {
    const [one, other] = [await stored(), await stored()];
    const second = await store.create(one.patient.number, NOW, () => type.example("second"));
    const third = await store.create(one.patient.number, NOW, () => type.example("third"));
    const late = await store.change(keyOf(second), LATER, ({ resource }) => resource);
    await store.delete(keyOf(third), LATER, () => undefined);
    const ids = [other.patient.number, one.patient.number];
    const all = { offset: 0, size: 10 };
    const [first, changed, elsewhere] = [one.created, late?.resource, other.created].map((resource) => ({
      resource,
    }));
    expect(await store.pageOfPatients(ids, { ...all, descending: true })).toEqual({
      found: [changed, first, elsewhere],
      total: 3,
    });
    expect(await store.pageOfPatients(ids, { ...all, descending: false })).toEqual({
      found: [first, elsewhere, changed],
      total: 3,
    });
    const middle = { offset: 1, size: 1, descending: true };
    expect(await store.pageOfPatients(ids, middle)).toEqual({ found: [first], total: 3 });
    expect(await store.pageOfPatients(ids, { ...middle, size: 0 })).toEqual({ found: [], total: 3 });
    expect(await store.pageOfPatients([], middle)).toEqual({ found: [], total: 0 });
    const ofOne = await store.pageOfPatients([one.patient.number], { ...all, descending: true });
    expect(ofOne).toEqual({ found: [changed, first], total: 2 });
  });

  it("show in their history since an instant the versions of then and later", async () => {
    const { key } = await stored();
    const later = await store.change(key, LATER, ({ resource }) => resource);
    for (const oldestFirst of [false, true]) {
      const since = await store.history(key, { size: 5, oldestFirst, since: LATER });
      expect(since).toMatchObject({ total: 1, hasMore: false });
      expect(since?.changes.map(({ resource }) => resource)).toEqual([later?.resource]);
    }
  });

  it("are listed with their patient until they are deleted", async () => {
    const { patient, created, key } = await stored();
    const second = await store.create(patient.number, LATER, () => type.example("second"));
    expect(await allOf(patient.number)).toEqual([{ resource: created }, { resource: second }]);
    await store.delete(key, LATER, () => undefined);
    expect(await allOf(patient.number)).toEqual([{ resource: second }]);
  });

  it("leave no identifier value anywhere in the database in clear", async () => {
    const first = randomUUID();
    const { key } = await stored(first);
    const second = randomUUID();
    await store.change(key, LATER, () => type.example(second));
    const text = await storedText(opened.databaseUrl);
    for (const value of [first, second]) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(Buffer.from(value).toString("hex"));
    }
    expect(identifierOf((await store.readVersion(key, 1))?.resource)).toBe(first);
    expect(identifierOf((await store.read(key))?.resource)).toBe(second);
  });

  it("are written one after the other, each knowing of those before", async () => {
    const { patient, key } = await stored();
    const seen = await Promise.all(
      Array.from({ length: 12 }, async () => {
        let before = "";
        await store.change(key, LATER, ({ resource }) => {
          before = resource.etag;
          return resource;
        });
        return before;
      }),
    );
    expect(new Set(seen).size).toBe(12);
    const created = await Promise.all(
      Array.from({ length: 12 }, () => store.create(patient.number, LATER, () => type.example("x"))),
    );
    expect(new Set(created.map((one) => one?.id)).size).toBe(12);
  });

  it("end when the patient has had as many as ids can tell apart", async () => {
    const { patient } = await stored();
    await opened.database.$executeRaw`
      UPDATE patient SET last_dependent = ${MAXIMUM_NUMBER} WHERE id = ${patient.number}`;
    await expect(store.create(patient.number, NOW, () => type.example("1"))).rejects.toThrow(
      NumbersExhausted,
    );
  });

  it("have a feed of their own, whose total is that of its changes", async () => {
    const before = await store.changes({ size: 1, oldestFirst: false }, LATER);
    const { created, key } = await stored();
    await store.delete(key, LATER, () => undefined);
    const after = await store.changes(
      { size: 5, oldestFirst: true, after: before.place },
      new Date(LATER.getTime() + 5000),
    );
    expect(after.total).toBe(before.total + 2);
    expect(after.place.position).toBe(before.place.position + 2n);
    expect(after.changes.map(({ resource, interaction }) => [resource.id, interaction])).toEqual([
      [created?.id, ChangeInteraction.CREATE],
      [created?.id, ChangeInteraction.DELETE],
    ]);
    const patients = await opened.store.changes({ size: 1, oldestFirst: false }, LATER);
    expect(patients.changes[0]?.patient.$typeName).toBe("patientindex.v1.Patient");
  });
}

function identifierOf(resource: Dependent | undefined): string {
  const { identifier } = resource as unknown as { identifier: { value: string }[] };
  return identifier[0]?.value ?? "";
}
