import type { Prisma } from "../../../prisma/gen/client.ts";
import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import { blocksOf, type Candidate, type MatchStore, type Records } from "../../matching/index.ts";
import { fitting } from "../../resources/index.ts";
import { insertBlockKeys } from "../blocking/block-keys.ts";
import { knownNames } from "../blocking/name-variants.ts";
import type { Database } from "../connection/database.ts";
import { selectPatientsOnPage } from "../patients/reading/read-patients.ts";
import { type PatientRow, patientOf } from "../patients/reading/stored-patient.ts";
import { storedBytes } from "../sealing/stored-bytes.ts";
import { readingOf } from "../sealing/unreadable.ts";
import {
  isNotBornElsewhen,
  selectForms,
  selectKeyHolders,
  selectPairs,
  selectSharing,
} from "./select-candidates.ts";

/** Candidates for matching on PostgreSQL. */
export function matchStore(database: Database, ring: KeyRing): MatchStore {
  const names = knownNames(database);
  const slice = (ids: readonly bigint[], condition?: Prisma.Sql): Promise<Slice> =>
    ring.under(async (keys) => {
      const rows = await selectPatientsOnPage(database, ids, condition);
      const isLast = fitting(rows, storedBytes).length === rows.length;
      return { ...recordsOf(keys, rows), rest: isLast ? [] : behind(rows.at(-1), ids) };
    });
  async function* records(ids: readonly bigint[], condition?: Prisma.Sql): AsyncGenerator<Records> {
    for (let rest = ids; rest.length > 0; ) {
      const read = await slice(rest, condition);
      yield read;
      rest = read.rest;
    }
  }
  return {
    async *candidates({ blocks, bornAbout }, ids, limit) {
      const given = new Set(ids);
      const sharing = (await selectSharing(database, blocks, limit)).filter(({ id }) => !given.has(id));
      const far = sharing.filter(({ isNear }) => !isNear).map(({ id }) => id);
      const condition = bornAbout === undefined ? undefined : isNotBornElsewhen(bornAbout, far);
      yield* records([...ids, ...sharing.map(({ id }) => id)], condition);
    },
    holders: (sought, limit) => selectKeyHolders(database, sought, limit),
    forms: (variants) => selectForms(database, variants),
    async next(after, limit) {
      const rows = await database.$queryRaw<{ id: bigint }[]>`
        SELECT id FROM patient WHERE id > ${after} ORDER BY id LIMIT ${limit}`;
      return await slice(rows.map(({ id }) => id));
    },
    sharing: (subjects) => selectPairs(database, subjects),
    records: (ids) => records(ids),
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

/** Some records, and which of those that were asked for come after them. */
interface Slice extends Records {
  readonly rest: readonly bigint[];
}

function behind(last: PatientRow | undefined, ids: readonly bigint[]): readonly bigint[] {
  return last ? ids.slice(ids.indexOf(last.id) + 1) : [];
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
