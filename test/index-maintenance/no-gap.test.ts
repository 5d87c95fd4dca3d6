import { randomUUID } from "node:crypto";
import { clone } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { Rotation } from "../../src/index-maintenance/ports.ts";
import { onServer, type TestDatabase } from "../database.ts";
import { PID, verifiedPatient } from "../patients/examples.ts";
import {
  addSecondary,
  identifierOf,
  type KeysOfOperator,
  NOW,
  type Process,
  startTwo,
  stopTwo,
} from "./processes.ts";

/** States of the database, in the order in which a rotation goes through them. */
const STEPS: readonly { readonly name: string; readonly enter: () => Promise<unknown> }[] = [
  { name: "before the rotation", enter: async () => undefined },
  { name: "while the new key joins", enter: async () => (rotation = await one.rotations.begin()) },
  { name: "while it is filled", enter: advance },
  { name: "while some are filled already", enter: () => one.rotations.moveAfter(underWay(), 0n, 3) },
  { name: "when all are filled", enter: () => one.rotations.moveAfter(underWay(), 0n, 10_000) },
  { name: "while the old key leaves", enter: advance },
  { name: "while half of its rows are deleted", enter: () => one.rotations.deleteOldRows(underWay(), 0, 2) },
  { name: "when all of them are", enter: () => one.rotations.deleteOldRows(underWay(), 1, 2) },
  { name: "when it is retired", enter: advance },
];

let database: TestDatabase;
let keys: KeysOfOperator;
let one: Process;
let other: Process;
let rotation: Rotation | undefined;
const stored: Patient[] = [];

beforeAll(async () => {
  ({ database, keys, one, other } = await startTwo());
  addSecondary(keys);
});

afterAll(async () => {
  await stopTwo({ database, one, other });
});

describe("identifiers are found, and unique among many who create at once", () => {
  for (const { name, enter } of STEPS) {
    it(`${name}, by processes that know and one that does not yet`, async () => {
      await enter();
      // The other one is a step behind until it looks.
      await one.followed.refresh();
      await holds();
      await other.followed.refresh();
      await holds();
      await expect.poll(() => one.rotations.unready()).toBe(0);
    });
  }

  it("has rows under the new key alone at the end, one for each identifier", async () => {
    const rows = await onServer(database.url, async (client) => {
      const found = await client.query("SELECT key_id, count(*)::int AS n FROM identifier GROUP BY key_id");
      return found.rows;
    });
    expect(rows).toEqual([{ key_id: keys.held.secondary?.keyId, n: 2 * stored.length }]);
  });
});

/** Four creates of the same identifier, from two processes: one gets it. Everybody so far is found from both. */
async function holds(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const value = randomUUID();
    const attempts = await Promise.allSettled(
      [one, other, one, other].map(({ store }) => store.create(holderOf(value, randomUUID()), NOW)),
    );
    const [winner, ...more] = attempts.flatMap((attempt) =>
      attempt.status === "fulfilled" ? [attempt.value] : [],
    );
    expect(more).toEqual([]);
    if (!winner) throw new Error("Nobody got the identifier.");
    stored.push(await ended(winner, round % 2 === 0 ? one : other));
  }
  for (const patient of stored) {
    const id = BigInt(patient.id ?? "");
    for (const { store } of [one, other]) {
      expect(await store.holders([identifierOf(patient)])).toEqual([id]);
      expect((await store.read(id))?.patient.identifier).toEqual(patient.identifier);
    }
  }
  await expect(
    one.store.create(holderOf(identifierOf(stored[0] ?? holderOf("")).value), NOW),
  ).rejects.toThrow();
}

/** The next version of a patient, in which its identifiers end. */
async function ended(patient: Patient, { store }: Process): Promise<Patient> {
  const next = clone(PatientSchema, patient);
  for (const identifier of next.identifier)
    identifier.period = { $typeName: "patientindex.v1.Period", extension: [], end: "2026-05-05" };
  const replaced = await store.replace(patient, next, NOW);
  if (replaced === "stale") throw new Error("Somebody else has changed the patient.");
  return replaced;
}

function holderOf(...values: string[]): Patient {
  return verifiedPatient({
    identifier: values.map((value, place) => ({ system: `${PID}/${place === 0 ? "fin" : "lva"}/ni`, value })),
  });
}

async function advance(): Promise<void> {
  rotation = await one.rotations.advance(underWay());
}

function underWay(): Rotation {
  if (!rotation) throw new Error("No rotation is under way.");
  return rotation;
}
