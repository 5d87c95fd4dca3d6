import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { DuplicateStore, Matching, MatchStore } from "../../../src/matching/index.ts";
import { duplicateStore, matchStore, openPatientLoader } from "../../../src/storage/index.ts";
import { type LinkageUnderTest, openLinkage } from "../linkage/linked-patients.ts";

export interface MatchingUnderTest extends LinkageUnderTest {
  readonly matching: Matching;
  readonly matches: MatchStore;
  readonly duplicates: DuplicateStore;
  /** Stores many at once. */
  load(patients: readonly Patient[]): Promise<number>;
}

/** Matching on a database of its own. */
export async function openMatching(): Promise<MatchingUnderTest> {
  const opened = await openLinkage();
  const matches = matchStore(opened.database, opened.ring);
  const loader = openPatientLoader({
    url: opened.databaseUrl,
    database: opened.database,
    keys: opened.ring,
    connections: 2,
  });
  return {
    ...opened,
    matches,
    matching: { patients: opened.index, store: matches },
    duplicates: duplicateStore(opened.database),
    load: async (patients) =>
      (await loader.load(patients, new Date())).filter((one) => "patient" in one).length,
    async close() {
      await loader.close();
      await opened.close();
    },
  };
}
