import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import type { DependentId } from "../../dependents/dependent-id.ts";
import type {
  Dependent,
  DependentChanges,
  DependentHistory,
  DependentStore,
} from "../../dependents/ports.ts";
import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import { type ChangesPage, fitting, type HistoryPage } from "../../resources/index.ts";
import type { FeedRow } from "../changes/feed.ts";
import { gatheredPublishing, type Publish } from "../changes/gathered-publishing.ts";
import { endedEarly, readFeed } from "../changes/read-feed.ts";
import type { Database } from "../connection/database.ts";
import { storedBytes } from "../sealing/stored-bytes.ts";
import { writeUnderKeys } from "../transactions/write-under-keys.ts";
import { totalOf } from "../versions/version-span.ts";
import { type DependentTable, observationTable, relatedPersonTable } from "./dependent-table.ts";
import { findFitting } from "./fitting-dependents.ts";
import {
  selectDependent,
  selectDependentHistory,
  selectDependentSpan,
  selectDependentVersion,
  selectDependentVersions,
  selectPageOfDependents,
} from "./read-dependents.ts";
import { changeOf, foundDependentOf, readableChangeOf, versionOf } from "./stored-dependent.ts";
import { changeDependent, deleteDependent, insertDependent } from "./write-dependent.ts";

/** Contact persons on PostgreSQL. */
export function relatedPersonStore(database: Database, ring: KeyRing): DependentStore<RelatedPerson> {
  return dependentStore(database, ring, relatedPersonTable);
}

/** Observations on PostgreSQL. */
export function observationStore(database: Database, ring: KeyRing): DependentStore<Observation> {
  return dependentStore(database, ring, observationTable);
}

interface Place<Resource> {
  readonly database: Database;
  readonly keys: IndexKeys;
  readonly table: DependentTable<Resource>;
}

function dependentStore<Resource extends Dependent>(
  database: Database,
  ring: KeyRing,
  table: DependentTable<Resource>,
): DependentStore<Resource> {
  const publish = gatheredPublishing(database);
  return {
    create: (patientId, now, decide) =>
      writeUnderKeys(database, ring, (transaction, keys) =>
        insertDependent({ transaction, keys, table, now }, patientId, decide),
      ),
    change: (id, now, decide) =>
      writeUnderKeys(database, ring, (transaction, keys) =>
        changeDependent({ transaction, keys, table, now }, id, decide),
      ),
    delete: (id, now, refuse) =>
      writeUnderKeys(database, ring, (transaction, keys) =>
        deleteDependent({ transaction, keys, table, now }, id, refuse),
      ),
    read: (id) =>
      ring.under(async (keys) => {
        const row = await selectDependent(database, table, id);
        return row && versionOf(keys, table, row);
      }),
    exists: async (id) => (await selectDependent(database, table, id)) !== undefined,
    readVersion: (id, version) =>
      ring.under(async (keys) => {
        const row = await selectDependentVersion(database, table, id, version);
        return row && versionOf(keys, table, row);
      }),
    history: (id, page) => ring.under((keys) => readHistory({ database, keys, table }, id, page)),
    changes: (page, now) => ring.under((keys) => readChanges({ database, keys, table }, publish, page, now)),
    pageOfPatients: (patientIds, page) =>
      ring.under(async (keys) => {
        const { rows, total } = await selectPageOfDependents(database, table, patientIds, page);
        return { found: rows.map((row) => foundDependentOf(keys, table, row)), total };
      }),
    pageOfFitting: (patientIds, page, fits) =>
      ring.under((keys) => findFitting(database, keys, table, patientIds, page, fits)),
  };
}

async function readHistory<Resource extends Dependent>(
  { database, keys, table }: Place<Resource>,
  id: DependentId,
  page: HistoryPage,
): Promise<DependentHistory<Resource> | undefined> {
  const span = await selectDependentSpan(database, table, id, page.since);
  if (span.last === 0) return undefined;
  const rows = await selectDependentHistory(database, table, id, span, page);
  const onPage = fitting(rows.slice(0, page.size), storedBytes);
  const changes = onPage.map((row) => changeOf(keys, table, row));
  return { changes, total: totalOf(span), hasMore: rows.length > onPage.length };
}

async function readChanges<Resource extends Dependent>(
  place: Place<Resource>,
  publish: Publish,
  page: ChangesPage,
  now: Date,
): Promise<DependentChanges<Resource>> {
  const { database, keys, table } = place;
  const feed = await readFeed(database, publish, table.type, page, now);
  const versions = await selectDependentVersions(database, table, feed.rows);
  const byKey = new Map(versions.map((row) => [`${row.patientId}/${row.n}/${row.version}`, row]));
  const versionOf = ({ patientId, dependent, version }: FeedRow) =>
    byKey.get(`${patientId}/${dependent}/${version}`);
  const { rows, ...found } = endedEarly(feed, versionOf);
  const changes = rows.flatMap((row) => {
    const version = versionOf(row);
    return version ? [{ ...readableChangeOf(keys, table, version), publishedAt: row.publishedAt }] : [];
  });
  return { ...found, changes };
}
