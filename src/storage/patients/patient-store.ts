import { create } from "@bufbuild/protobuf";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import { blockChanges, blocksOf } from "../../matching/index.ts";
import type {
  ChangesResult,
  HistoryResult,
  PatientStore,
  StoredChange,
  StoredPatient,
} from "../../patients/ports.ts";
import { type ChangesPage, fitting, type HistoryPage } from "../../resources/index.ts";
import { ascending } from "../ascending.ts";
import type { FeedRow } from "../changes/feed.ts";
import { gatheredPublishing, type Publish } from "../changes/gathered-publishing.ts";
import { endedEarly, readFeed } from "../changes/read-feed.ts";
import { ambientTransaction } from "../connection/ambient-transaction.ts";
import type { Database } from "../connection/database.ts";
import { underKeysInUse } from "../index-keys/keys-in-use.ts";
import { inTransactionUnder } from "../index-keys/write-under-keys.ts";
import { knownNames } from "../matching/name-variants.ts";
import { openAuthor } from "../sealing/authors.ts";
import { storedBytes } from "../sealing/stored-bytes.ts";
import { contentOf, type Reading, readingOf } from "../sealing/unreadable.ts";
import { totalOf } from "../version-span.ts";
import { stamped } from "../versioned.ts";
import { readingsOf, selectLinked, storedPatients } from "./reading/groups.ts";
import { selectHistory, selectVersionSpan } from "./reading/history.ts";
import { selectVersion, selectVersions } from "./reading/read-patients.ts";
import { recordedReads } from "./reading/recorded-reads.ts";
import { keepDocument, type PatientRow, type PatientVersionRow } from "./reading/stored-patient.ts";
import { holdersOfAny } from "./search/holders.ts";
import { gatheredLookups, singleLookups } from "./search/lookups.ts";
import { searchPatients } from "./search/search-patients.ts";
import { IdBlocks } from "./writing/id-blocks.ts";
import { insertPatientAtOnce, replacePatientAtOnce } from "./writing/write-at-once.ts";
import { insertPatient, replacePatient } from "./writing/write-patient.ts";

export interface PatientStoreOptions {
  /**
   * Whether look-ups of many calls go to the database as one statement, and whatever a write does too; on unless given.
   * Off, each statement asks one shard of a cluster.
   */
  readonly gatherLookups?: boolean;
}

/** Patients on PostgreSQL. */
export function patientStore(
  database: Database,
  ring: KeyRing,
  { gatherLookups = true }: PatientStoreOptions = {},
): PatientStore {
  const lookups = gatherLookups ? gatheredLookups(database) : singleLookups(database);
  const readRecorded = gatherLookups ? recordedReads(database, lookups.patient) : lookups.patient;
  const ids = new IdBlocks(database);
  const names = knownNames(database);
  const publish = gatheredPublishing(database);
  const isAtOnce = () => gatherLookups && !ambientTransaction(database);
  return {
    async create(given, now) {
      const { keys: blockKeys, forms } = blocksOf(given);
      await names.add(forms);
      const id = await ids.next();
      const record = { id, given, blockKeys };
      return await underKeysInUse(database, ring, (keys) =>
        isAtOnce()
          ? insertPatientAtOnce(database, keys, record, now)
          : inTransactionUnder(database, keys, (transaction) =>
              insertPatient(transaction, keys, record, now),
            ),
      );
    },
    async replace(current, next, now, deliveries) {
      const blocks = blockChanges(current, next);
      await names.add(blocks.forms);
      const change = { current, next, blocks, deliveries };
      return await underKeysInUse(database, ring, async (keys) => {
        const replaced = isAtOnce() ? await replacePatientAtOnce(database, keys, change, now) : undefined;
        return (
          replaced ??
          (await inTransactionUnder(database, keys, (transaction) =>
            replacePatient(transaction, keys, change, now),
          ))
        );
      });
    },
    read: (id) =>
      ring.under(async (keys) => {
        const row = await lookups.patient(id);
        const stored = await storedPatient(database, keys, row);
        if (stored && row) keepDocument(stored.patient, row);
        return stored;
      }),
    exists: async (id) => (await lookups.patient(id)) !== undefined,
    readRecorded: (id, now) =>
      ring.under(async (keys) => storedPatient(database, keys, await readRecorded(id, now))),
    readVersion: (id, version) =>
      ring.under(async (keys) => storedPatient(database, keys, await selectVersion(database, id, version))),
    async authorOf(id, version) {
      const [row] = await selectVersions(database, [{ patientId: id, version }]);
      return row && (await ring.under(async (keys) => openAuthor(keys, row.id, row)));
    },
    history: (id, page) => ring.under((keys) => readHistory(database, keys, id, page)),
    changes: (page, now) => ring.under((keys) => readChanges({ database, keys, publish }, page, now)),
    search: (criteria, page) =>
      ring.under((keys) => searchPatients({ database, lookups, keys }, criteria, page)),
    holders: (identifiers) => ring.under((keys) => holdersOfAny(lookups, keys, identifiers)),
    group: async (id) => ascending((await selectLinked(database, [id])).get(id) ?? [id]),
  };
}

async function storedPatient(
  database: Database,
  keys: IndexKeys,
  row: PatientRow | undefined,
): Promise<StoredPatient | undefined> {
  if (!row) return undefined;
  const [stored] = await storedPatients(database, keys, [row]);
  return stored;
}

async function readHistory(
  database: Database,
  keys: IndexKeys,
  id: bigint,
  page: HistoryPage,
): Promise<HistoryResult | undefined> {
  const span = await selectVersionSpan(database, id, page.since);
  if (span.last === 0) return undefined;
  const rows = await selectHistory(database, id, span, page);
  const onPage = fitting(rows.slice(0, page.size), storedBytes);
  const changes = await changesOf(database, keys, onPage);
  return {
    changes: changes.map(({ reading }) => contentOf(reading)),
    total: totalOf(span),
    hasMore: rows.length > onPage.length,
  };
}

interface Feed {
  readonly database: Database;
  readonly keys: IndexKeys;
  readonly publish: Publish;
}

async function readChanges(
  { database, keys, publish }: Feed,
  page: ChangesPage,
  now: Date,
): Promise<ChangesResult> {
  const feed = await readFeed(database, publish, "Patient", page, now);
  const versions = await selectVersions(database, feed.rows);
  const byKey = new Map(versions.map((row) => [keyOf({ ...row, patientId: row.id }), row]));
  const { rows, ...place } = endedEarly(feed, (row) => byKey.get(keyOf(row)));
  const kept = rows.flatMap((row) => byKey.get(keyOf(row)) ?? []);
  return { ...place, changes: inFeed(rows, await changesOf(database, keys, kept)) };
}

interface ReadChange {
  readonly row: PatientVersionRow;
  readonly reading: Reading<StoredChange>;
}

function inFeed(rows: readonly FeedRow[], changes: readonly ReadChange[]): StoredChange[] {
  const byKey = new Map(
    changes.map((one) => [keyOf({ ...one.row, patientId: one.row.id }), changeInFeed(one)]),
  );
  return rows.flatMap((row) => {
    const one = byKey.get(keyOf(row));
    return one ? [{ ...one, publishedAt: row.publishedAt }] : [];
  });
}

function keyOf({ patientId, version }: Pick<FeedRow, "patientId" | "version">): string {
  return `${patientId}/${version}`;
}

/** A version that does not open has its place in the feed all the same, so that a reader gets past it. */
function changeInFeed({ row, reading }: ReadChange): StoredChange {
  if ("content" in reading) return reading.content;
  return {
    patient: stamped(create(PatientSchema), row),
    interaction: interactionOf(row.version),
    unreadable: reading.unreadable,
  };
}

function interactionOf(version: number): ChangeInteraction {
  return version === 1 ? ChangeInteraction.CREATE : ChangeInteraction.UPDATE;
}

async function changesOf(
  database: Database,
  keys: IndexKeys,
  rows: readonly PatientVersionRow[],
): Promise<ReadChange[]> {
  return (await readingsOf(database, keys, rows)).map(({ row, reading }) => ({
    row,
    reading: readingOf(() => {
      const author = openAuthor(keys, row.id, row);
      return { ...contentOf(reading), interaction: interactionOf(row.version), ...(author && { author }) };
    }),
  }));
}
