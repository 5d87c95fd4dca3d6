import { create } from "@bufbuild/protobuf";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys } from "../../../identifier-index/index.ts";
import type { ChangesResult, HistoryResult, StoredChange } from "../../../patients/ports.ts";
import { type ChangesPage, fitting, type HistoryPage } from "../../../resources/index.ts";
import type { FeedRow } from "../../changes/feed.ts";
import type { Publish } from "../../changes/gathered-publishing.ts";
import { endedEarly, readFeed } from "../../changes/read-feed.ts";
import type { Database } from "../../connection/database.ts";
import { openAuthor } from "../../sealing/authors.ts";
import { storedBytes } from "../../sealing/stored-bytes.ts";
import { contentOf, type Reading, readingOf } from "../../sealing/unreadable.ts";
import { totalOf } from "../../versions/version-span.ts";
import { stamped } from "../../versions/versioned.ts";
import { readingsOf } from "./groups.ts";
import { selectHistory, selectVersionSpan } from "./history.ts";
import { selectVersions } from "./read-patients.ts";
import type { PatientVersionRow } from "./stored-patient.ts";

/** A page of the versions of a patient; undefined of one whom nobody knows. */
export async function readHistory(
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

/** A page of the feed of patients. */
export async function readChanges(
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
