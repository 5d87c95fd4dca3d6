import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import { blockChanges, blocksOf } from "../../matching/index.ts";
import type { PatientStore, StoredPatient } from "../../patients/ports.ts";
import { knownNames } from "../blocking/name-variants.ts";
import { gatheredPublishing } from "../changes/gathered-publishing.ts";
import { ambientTransaction } from "../connection/ambient-transaction.ts";
import type { Database } from "../connection/database.ts";
import { openAuthor } from "../sealing/authors.ts";
import { underKeysInUse } from "../sealing/keys-in-use.ts";
import { ascending } from "../transactions/ascending.ts";
import { inTransactionUnder } from "../transactions/write-under-keys.ts";
import { readChanges, readHistory } from "./reading/changes.ts";
import { storedPatients } from "./reading/groups.ts";
import { selectLinked } from "./reading/linked-patients.ts";
import { readAll } from "./reading/read-all.ts";
import { selectVersion, selectVersions } from "./reading/read-patients.ts";
import { recordedReads } from "./reading/recorded-reads.ts";
import { keepDocument, type PatientRow } from "./reading/stored-patient.ts";
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
    readAll: (ids) => ring.under((keys) => readAll(database, keys, ids)),
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
