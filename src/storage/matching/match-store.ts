import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import { blocksOf, type Candidate, type MatchStore, type Records } from "../../matching/index.ts";
import { insertBlockKeys } from "../blocking/block-keys.ts";
import { knownNames } from "../blocking/name-variants.ts";
import type { Database } from "../connection/database.ts";
import { selectPatientsOnPage } from "../patients/reading/read-patients.ts";
import { type PatientRow, patientOf } from "../patients/reading/stored-patient.ts";
import { readingOf } from "../sealing/unreadable.ts";
import { selectForms, selectKeyHolders, selectPairs, selectSharing } from "./select-candidates.ts";

/** Candidates for matching on PostgreSQL. */
export function matchStore(database: Database, ring: KeyRing): MatchStore {
  const names = knownNames(database);
  const slice = (ids: readonly bigint[]): Promise<Records> =>
    ring.under(async (keys) => recordsOf(keys, await selectPatientsOnPage(database, ids)));
  async function* records(ids: readonly bigint[]): AsyncGenerator<Records> {
    for (let rest = ids; rest.length > 0; ) {
      const read = await slice(rest);
      yield read;
      const known = new Set([...read.candidates, ...read.unreadable].map(({ id }) => id));
      rest = known.size === 0 ? [] : rest.slice(rest.findLastIndex((id) => known.has(id)) + 1);
    }
  }
  return {
    async *candidates(blocks, ids, limit) {
      const sharing = await selectSharing(database, blocks, limit);
      yield* records([...new Set([...ids, ...sharing])]);
    },
    holders: (lists, limit) => selectKeyHolders(database, lists, limit),
    forms: (variants) => selectForms(database, variants),
    async next(after, limit) {
      const rows = await database.$queryRaw<{ id: bigint }[]>`
        SELECT id FROM patient WHERE id > ${after} ORDER BY id LIMIT ${limit}`;
      return await slice(rows.map(({ id }) => id));
    },
    sharing: (subjects) => selectPairs(database, subjects),
    records,
    async writeKeys(patients) {
      const written = patients.map(({ id, patient }) => ({ id, ...blocksOf(patient) }));
      await names.add(written.flatMap(({ forms }) => forms));
      await insertBlockKeys(
        database,
        written.flatMap(({ id, keys }) => keys.map((key) => ({ key, patientId: id }))),
      );
    },
    async count() {
      const [row] = await database.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total FROM patient`;
      return Number(row?.total ?? 0);
    },
  };
}

function recordsOf(keys: IndexKeys, rows: readonly PatientRow[]): Records {
  const readings = rows.map((row) => ({ id: row.id, reading: readingOf(() => candidateOf(keys, row)) }));
  return {
    candidates: readings.flatMap(({ reading }) => ("content" in reading ? [reading.content] : [])),
    unreadable: readings.flatMap(({ id, reading }) =>
      "unreadable" in reading ? [{ id, cause: reading.unreadable }] : [],
    ),
  };
}

function candidateOf(keys: IndexKeys, row: PatientRow): Candidate {
  return { id: row.id, personId: row.rootId ?? row.id, patient: patientOf(keys, row) };
}
