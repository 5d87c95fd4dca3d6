import { randomUUID } from "node:crypto";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys, KeyRing } from "../../../src/identifier-index/index.ts";
import type { PatientStore } from "../../../src/patients/index.ts";
import { type Database, openDatabase } from "../../../src/storage/connection/database.ts";
import { patientStore } from "../../../src/storage/index.ts";
import type { PatientStoreOptions } from "../../../src/storage/patients/patient-store.ts";
import { createTestDatabase } from "../../database.ts";
import { PID, verifiedPatient } from "../../patients/examples.ts";
import { fixedKeys, newIndexKeys } from "../index-keys.ts";

export interface StoreUnderTest {
  readonly store: PatientStore;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly keys: IndexKeys;
  /** The same keys, as stores take them. */
  readonly ring: KeyRing;
  close(): Promise<void>;
}

/** A patient store on a database of its own. */
export async function openStore(options: PatientStoreOptions = {}): Promise<StoreUnderTest> {
  const testDatabase = await createTestDatabase();
  const database = openDatabase({
    url: testDatabase.url,
    poolSize: 16,
    preparedStatements: true,
    onConnectionError: () => {},
  });
  const keys = newIndexKeys();
  const ring = fixedKeys(keys);
  return {
    store: patientStore(database, ring, options),
    database,
    databaseUrl: testDatabase.url,
    keys,
    ring,
    async close() {
      await database.$disconnect();
      await testDatabase.drop();
    },
  };
}

/** A patient whom nobody else is, with the national codes of these countries. */
export function somebody(...countries: string[]): Patient {
  const wanted = countries.length > 0 ? countries : ["fin"];
  return verifiedPatient({
    identifier: wanted.map((country) => ({ system: `${PID}/${country}/ni`, value: randomUUID() })),
  });
}
