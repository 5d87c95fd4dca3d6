import { clone, create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { IdentifierTaken } from "../../../src/patients/ports.ts";
import { PID, verifiedPatient } from "../../patients/examples.ts";
import { storedText } from "../stored-text.ts";
import { openStore, type StoreUnderTest, somebody } from "./store.ts";

const NOW = new Date("2026-03-29T00:59:59.123Z");
const LATER = new Date("2026-03-29T01:00:00.456Z");

let opened: StoreUnderTest;

describe.each([{ gatherLookups: true }, { gatherLookups: false }])("a store with %o", ({ gatherLookups }) => {
  beforeAll(async () => {
    opened = await openStore({ gatherLookups });
  });

  afterAll(async () => {
    await opened.close();
  });

  describe("a created patient", () => {
    it("is read as it was given, with an id, version 1 and the time of the write", async () => {
      const given = somebody("fin", "swe");
      const created = await opened.store.create(clone(PatientSchema, given), NOW);
      const read = (await opened.store.read(idOf(created)))?.patient;
      expect(created.id).toMatch(/^[1-9]\d*$/);
      expect(read).toEqual(created);
      expect(read?.etag).toBe('W/"1"');
      expect(read?.meta?.versionId).toBe("1");
      expect(read?.meta?.lastUpdated && timestampDate(read.meta.lastUpdated)).toEqual(NOW);
      expect(read?.identifier).toEqual(given.identifier);
    });

    it("keeps the identifiers that lie in its extensions and references", async () => {
      const inExtension = create(ExtensionSchema, {
        url: "https://example.org/insurance",
        value: { case: "valueIdentifier", value: { system: "https://example.org/card", value: "CARD-77-1" } },
      });
      const inReference = create(ExtensionSchema, {
        url: "https://example.org/clinic",
        value: { case: "valueReference", value: { identifier: { system: "urn:x", value: "CLINIC-77-2" } } },
      });
      const given = { ...somebody(), extension: [inExtension, inReference] };
      const created = await opened.store.create(clone(PatientSchema, given), NOW);
      expect((await opened.store.read(idOf(created)))?.patient.extension).toEqual(given.extension);
      const stored = await storedText(opened.databaseUrl);
      expect(stored).not.toContain("CARD-77-1");
      expect(stored).not.toContain("CLINIC-77-2");
    });

    it("leaves no identifier value anywhere in the database in clear", async () => {
      const given = somebody("lva", "ltu");
      const created = await opened.store.create(clone(PatientSchema, given), NOW);
      await opened.store.replace(created, { ...clone(PatientSchema, created), active: false }, LATER);
      await opened.store.changes({ size: 1, oldestFirst: false }, LATER);
      const stored = await storedText(opened.databaseUrl);
      for (const { value = "" } of given.identifier) {
        expect(stored).not.toContain(value);
        expect(stored).not.toContain(Buffer.from(value).toString("hex"));
      }
    });

    it("is nobody under another id", async () => {
      expect(await opened.store.read(9_999_999n)).toBeUndefined();
      expect(await opened.store.history(9_999_999n, { size: 5, oldestFirst: false })).toBeUndefined();
    });
  });

  describe("identifiers", () => {
    it("belong to one patient: of many creates at once exactly one wins", async () => {
      const given = somebody("nor");
      const outcomes = await Promise.allSettled(
        Array.from({ length: 32 }, () => opened.store.create(clone(PatientSchema, given), NOW)),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(IdentifierTaken);
      }
    });

    it("taken crosswise by two creates end in one patient, not in a deadlock", async () => {
      for (let round = 0; round < 10; round++) {
        const given = somebody("fin", "swe", "nor", "dnk");
        const turned = { ...given, identifier: given.identifier.toReversed() };
        const outcomes = await Promise.allSettled(
          [given, turned, given, turned].map((one) => opened.store.create(clone(PatientSchema, one), NOW)),
        );
        expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      }
    });

    it("of a refused create are free again", async () => {
      const first = await opened.store.create(somebody("fin"), NOW);
      const shared = first.identifier.map((identifier) => ({ ...identifier }));
      const free = somebody("swe");
      const refused = { ...free, identifier: [...free.identifier, ...shared] };
      await expect(opened.store.create(clone(PatientSchema, refused), NOW)).rejects.toThrow(IdentifierTaken);
      const created = await opened.store.create(clone(PatientSchema, free), NOW);
      expect(created.meta?.versionId).toBe("1");
    });

    it("are found at all three levels, ended ones too, and their holders named", async () => {
      const value = "SAME-NUMBER-1";
      const make = (system: string) =>
        opened.store.create(
          verifiedPatient({ identifier: [{ system, value, period: { end: "2020-01-01" } }] }),
          NOW,
        );
      const passport = idOf(await make(`${PID}/fin/ppn`));
      const licence = idOf(await make(`${PID}/fin/dl`));
      const foreign = idOf(await make(`${PID}/swe/ppn`));
      expect(await opened.store.holders([{ value, country: "fin", type: "ppn" }])).toEqual([passport]);
      expect(await opened.store.holders([{ value, country: "fin" }])).toEqual([passport, licence]);
      expect(await opened.store.holders([{ value }])).toEqual([passport, licence, foreign]);
      expect(await opened.store.holders([{ value: ` ${value} ` }])).toEqual([passport, licence, foreign]);
      expect(await opened.store.holders([{ value: value.toLowerCase() }])).toEqual([]);
    });
  });

  describe("a replaced patient", () => {
    it("is the next version, later than the one before even when the clock is not", async () => {
      const created = await opened.store.create(somebody(), LATER);
      const replaced = await replace(created, { birthDate: "1991-02-03" }, NOW);
      expect(replaced.etag).toBe('W/"2"');
      expect(replaced.meta?.lastUpdated && timestampDate(replaced.meta.lastUpdated).getTime()).toBe(
        LATER.getTime() + 1,
      );
      expect(await opened.store.read(idOf(created))).toEqual({ patient: replaced });
    });

    it("leaves its versions as they were, identifiers in extensions that are gone included", async () => {
      const extension = create(ExtensionSchema, {
        url: "https://example.org/old",
        value: { case: "valueIdentifier", value: { system: "urn:old", value: "GONE-1" } },
      });
      const created = await opened.store.create({ ...somebody(), extension: [extension] }, NOW);
      const before = clone(PatientSchema, created);
      await replace(created, { extension: [] }, LATER);
      expect(await opened.store.readVersion(idOf(created), 1)).toEqual({ patient: before });
      expect((await opened.store.readVersion(idOf(created), 2))?.patient.extension).toEqual([]);
      expect(await opened.store.readVersion(idOf(created), 3)).toBeUndefined();
    });

    it("is stale when somebody was faster, and nothing is written", async () => {
      const created = await opened.store.create(somebody(), NOW);
      const before = clone(PatientSchema, created);
      await replace(created, { active: false }, LATER);
      const added = { ...before, identifier: [...before.identifier, ...somebody("swe").identifier] };
      expect(await opened.store.replace(before, added, LATER)).toBe("stale");
      const [token] = added.identifier.slice(-1);
      expect(await opened.store.holders([{ value: token?.value ?? "" }])).toEqual([]);
      expect((await opened.store.read(idOf(created)))?.patient.meta?.versionId).toBe("2");
    });

    it("is stale too when it was read before somebody was faster", async () => {
      const id = idOf(await opened.store.create(somebody(), NOW));
      const [one, other] = [await patientOf(id), await patientOf(id)];
      await opened.store.replace(one, { ...clone(PatientSchema, one), birthDate: "1991" }, LATER);
      const late = { ...clone(PatientSchema, other), birthDate: "1992" };
      expect(await opened.store.replace(other, late, LATER)).toBe("stale");
      expect(await opened.store.history(id, { size: 5, oldestFirst: true })).toMatchObject({ total: 2 });
      expect((await patientOf(id)).birthDate).toBe("1991");
    });

    it("may keep its identifiers and get others elsewhere", async () => {
      const created = await opened.store.create(somebody(), NOW);
      const extension = create(ExtensionSchema, {
        url: "https://example.org/new",
        value: { case: "valueIdentifier", value: { system: "urn:new", value: "NEW-1" } },
      });
      const replaced = await replace(created, { extension: [extension] }, LATER);
      expect(replaced.extension).toEqual([extension]);
      expect(await opened.store.read(idOf(created))).toEqual({ patient: replaced });
    });

    it("takes new identifiers only when they are free", async () => {
      const other = await opened.store.create(somebody("swe"), NOW);
      const created = await opened.store.create(somebody("fin"), NOW);
      const greedy = { identifier: [...created.identifier, ...other.identifier] };
      await expect(replace(created, greedy, LATER)).rejects.toThrow(IdentifierTaken);
      expect((await opened.store.read(idOf(created)))?.patient.identifier).toHaveLength(1);
    });

    it("gets every version of writers at once, one after the other", async () => {
      const { id } = await opened.store.create(somebody(), NOW);
      await Promise.all(Array.from({ length: 12 }, () => replaceUntilDone(BigInt(id ?? ""))));
      const history = await opened.store.history(BigInt(id ?? ""), { size: 100, oldestFirst: true });
      expect(history?.changes.map(({ patient }) => patient.meta?.versionId)).toEqual(
        Array.from({ length: 13 }, (_, index) => String(index + 1)),
      );
    });
  });

  describe("the history of a patient", () => {
    it("is paged, newest or oldest first, and says how each version came about", async () => {
      let patient = await opened.store.create(somebody(), NOW);
      for (const birthDate of ["1991", "1992", "1993"])
        patient = await replace(patient, { birthDate }, LATER);
      const id = idOf(patient);
      const first = await opened.store.history(id, { size: 2, oldestFirst: false });
      expect(versions(first?.changes)).toEqual(["4", "3"]);
      expect(first).toMatchObject({ total: 4, hasMore: true });
      const second = await opened.store.history(id, { size: 2, oldestFirst: false, after: 3 });
      expect(versions(second?.changes)).toEqual(["2", "1"]);
      expect(second?.hasMore).toBe(false);
      expect(second?.changes.map(({ interaction }) => interaction)).toEqual([
        ChangeInteraction.UPDATE,
        ChangeInteraction.CREATE,
      ]);
      const oldest = await opened.store.history(id, { size: 3, oldestFirst: true, since: LATER });
      expect(versions(oldest?.changes)).toEqual(["2", "3", "4"]);
      expect(oldest?.total).toBe(3);
    });

    it("ends, newest first, with the first version since an instant, and is empty when there is none", async () => {
      let patient = await opened.store.create(somebody(), NOW);
      for (const birthDate of ["1991", "1992", "1993"])
        patient = await replace(patient, { birthDate }, LATER);
      const id = idOf(patient);
      const since = LATER;
      const first = await opened.store.history(id, { size: 2, oldestFirst: false, since });
      expect(versions(first?.changes)).toEqual(["4", "3"]);
      expect(first).toMatchObject({ total: 3, hasMore: true });
      const second = await opened.store.history(id, { size: 2, oldestFirst: false, since, after: 3 });
      expect(versions(second?.changes)).toEqual(["2"]);
      expect(second).toMatchObject({ total: 3, hasMore: false });
      for (const oldestFirst of [false, true]) {
        const tomorrow = new Date(LATER.getTime() + 86_400_000);
        const empty = await opened.store.history(id, { size: 2, oldestFirst, since: tomorrow });
        expect(empty).toEqual({ changes: [], total: 0, hasMore: false });
      }
    });
  });
});

async function replace(current: Patient, changes: Partial<Patient>, now: Date): Promise<Patient> {
  const next = { ...clone(PatientSchema, current), ...changes };
  const replaced = await opened.store.replace(await patientOf(idOf(current)), next, now);
  if (replaced === "stale") throw new Error("Somebody else replaced the patient.");
  return replaced;
}

async function patientOf(id: bigint): Promise<Patient> {
  const stored = await opened.store.read(id);
  if (!stored) throw new Error("The patient is gone.");
  return stored.patient;
}

async function replaceUntilDone(id: bigint): Promise<void> {
  for (;;) {
    const current = await patientOf(id);
    const next = clone(PatientSchema, current);
    if ((await opened.store.replace(current, next, NOW)) !== "stale") return;
  }
}

function idOf(patient: Patient): bigint {
  return BigInt(patient.id ?? "");
}

function versions(changes: readonly { patient: Patient }[] | undefined): (string | undefined)[] | undefined {
  return changes?.map(({ patient }) => patient.meta?.versionId);
}
