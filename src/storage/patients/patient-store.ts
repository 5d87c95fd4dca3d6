import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import type { IdentifierToken } from "../../identifiers/index.ts";
import type {
  ChangesResult,
  HistoryResult,
  PatientCriteria,
  PatientStore,
  SearchPage,
  SearchResult,
  StoredChange,
} from "../../patients/ports.ts";
import type { ChangesPage, HistoryPage } from "../../resources/index.ts";
import type { FeedRow } from "../changes/feed.ts";
import { readFeed } from "../changes/read-feed.ts";
import type { Database } from "../database.ts";
import { inTransaction } from "../transaction.ts";
import { countVersions, selectHistory } from "./history.ts";
import { IdBlocks } from "./id-blocks.ts";
import { selectPatient, selectPatients, selectVersion, selectVersions } from "./read-patients.ts";
import { selectHolders, selectMatches } from "./search.ts";
import { patientOf } from "./stored-patient.ts";
import { insertPatient, replacePatient } from "./write-patient.ts";

/** Patients on PostgreSQL. */
export function patientStore(database: Database, keys: IndexKeys): PatientStore {
  const ids = new IdBlocks(database);
  return {
    async create(given, now) {
      const id = await ids.next();
      return await inTransaction(database, (transaction) => insertPatient(transaction, keys, id, given, now));
    },
    async replace(current, next, now) {
      return await inTransaction(database, (transaction) =>
        replacePatient(transaction, keys, current, next, now),
      );
    },
    async read(id) {
      const row = await selectPatient(database, id);
      return row && patientOf(keys, row);
    },
    async readVersion(id, version) {
      const row = await selectVersion(database, id, version);
      return row && patientOf(keys, row);
    },
    history: (id, page) => readHistory(database, keys, id, page),
    changes: (page, now) => readChanges(database, keys, page, now),
    search: (criteria, page) => search(database, keys, criteria, page),
    holders: (identifiers) => holdersOfAny(database, keys, identifiers),
  };
}

async function readHistory(
  database: Database,
  keys: IndexKeys,
  id: bigint,
  page: HistoryPage,
): Promise<HistoryResult | undefined> {
  const rows = await selectHistory(database, id, page);
  const total = await countVersions(database, id, page.since);
  if (total === 0 && !(await selectPatient(database, id))) return undefined;
  const changes = rows.slice(0, page.size).map((row) => changeOf(patientOf(keys, row), row.version));
  return { changes, total, hasMore: rows.length > page.size };
}

async function readChanges(
  database: Database,
  keys: IndexKeys,
  page: ChangesPage,
  now: Date,
): Promise<ChangesResult> {
  const { rows, ...feed } = await readFeed(database, "Patient", page, now);
  return { ...feed, changes: await openChanges(database, keys, rows) };
}

async function openChanges(
  database: Database,
  keys: IndexKeys,
  rows: readonly FeedRow[],
): Promise<StoredChange[]> {
  const versions = await selectVersions(database, rows);
  const byKey = new Map(versions.map((row) => [`${row.id}/${row.version}`, row]));
  return rows.flatMap(({ patientId, version, publishedAt }) => {
    const row = byKey.get(`${patientId}/${version}`);
    return row ? [{ ...changeOf(patientOf(keys, row), version), publishedAt }] : [];
  });
}

function changeOf(patient: Patient, version: number): StoredChange {
  return { patient, interaction: version === 1 ? ChangeInteraction.CREATE : ChangeInteraction.UPDATE };
}

async function search(
  database: Database,
  keys: IndexKeys,
  criteria: PatientCriteria,
  page: SearchPage,
): Promise<SearchResult> {
  const ids = await matches(database, keys, criteria, page);
  if (ids.length > page.maximum) return "too-many";
  const start = (page.page - 1) * page.size;
  const rows = await selectPatients(database, ids.slice(start, start + page.size));
  return { patients: rows.map((row) => patientOf(keys, row)), total: ids.length };
}

/** The blind index and the patients are asked in two statements, each of which stays in one shard of a cluster. */
async function matches(
  database: Database,
  keys: IndexKeys,
  criteria: PatientCriteria,
  page: SearchPage,
): Promise<bigint[]> {
  const { identifiers = [], ...others } = criteria;
  if (identifiers.length === 0) return await selectMatches(database, others, page);
  const candidates = await holdersOfEach(database, keys, identifiers, others.ids);
  if (candidates.length === 0) return [];
  if (candidates.length === 1 && Object.keys(others).length === 0) return candidates;
  return await selectMatches(database, { ...others, ids: candidates }, page);
}

/** Who holds one identifier of every list, and is among `ids` when they are given. */
async function holdersOfEach(
  database: Database,
  keys: IndexKeys,
  lists: readonly (readonly IdentifierToken[])[],
  ids: readonly bigint[] | undefined,
): Promise<bigint[]> {
  let candidates = ids;
  for (const list of lists) {
    const holders = await holdersOfAny(database, keys, list);
    candidates = candidates ? candidates.filter((id) => holders.includes(id)) : holders;
  }
  return [...(candidates ?? [])];
}

async function holdersOfAny(
  database: Database,
  keys: IndexKeys,
  identifiers: readonly IdentifierToken[],
): Promise<bigint[]> {
  const found = await Promise.all(identifiers.map((identifier) => selectHolders(database, keys, identifier)));
  return [...new Set(found.flat())].sort((a, b) => (a < b ? -1 : 1));
}
