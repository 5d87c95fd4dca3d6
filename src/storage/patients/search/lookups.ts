import { asPart } from "../../../call/current-call.ts";
import { GatheredWork } from "../../../concurrency/gathered-work.ts";
import { ambientTransaction } from "../../connection/ambient-transaction.ts";
import type { Database } from "../../connection/database.ts";
import { selectPatient, selectPatients } from "../reading/read-patients.ts";
import type { PatientRow } from "../reading/stored-patient.ts";
import { type IndexedIdentifier, selectHolders, selectHoldersOfEach } from "./select-holders.ts";
import { type SoleHolder, selectSoleHolders } from "./select-sole-holders.ts";

/** How single patients and identifiers are looked up. */
export interface Lookups {
  patient(id: bigint): Promise<PatientRow | undefined>;
  /** Ids of the patients who hold an identifier themselves. */
  holders(identifier: IndexedIdentifier): Promise<readonly bigint[]>;
  /** The patient who alone holds an identifier; undefined when nobody does. */
  soleHolder(identifier: IndexedIdentifier): Promise<SoleHolder | undefined>;
}

/** A statement for each look-up: in a cluster each goes to one shard. */
export function singleLookups(database: Database): Lookups {
  return {
    patient: (id) => selectPatient(database, id),
    holders: (identifier) => selectHolders(database, identifier),
    async soleHolder(identifier) {
      const [id, second] = await selectHolders(database, identifier);
      if (second !== undefined) return "several";
      return id === undefined ? undefined : await selectPatient(database, id);
    },
  };
}

/**
 * One statement for the look-ups of many calls at once: what is spent on a statement here and in the database is spent
 * once for them. Within a transaction a look-up is the transaction's own.
 */
export function gatheredLookups(database: Database): Lookups {
  const patients = new GatheredWork((ids: readonly bigint[]) => selectById(database, ids));
  const holders = new GatheredWork((wanted: readonly IndexedIdentifier[]) =>
    selectHoldersOfEach(database, wanted),
  );
  const soleHolders = new GatheredWork((wanted: readonly IndexedIdentifier[]) =>
    selectSoleHolders(database, wanted),
  );
  const single = singleLookups(database);
  return {
    patient: (id) =>
      ambientTransaction(database) ? single.patient(id) : asPart("look-up patient", () => patients.ask(id)),
    holders: async (identifier) =>
      ambientTransaction(database)
        ? await single.holders(identifier)
        : ((await asPart("look-up holders", () => holders.ask(identifier))) ?? []),
    soleHolder: (identifier) =>
      ambientTransaction(database)
        ? single.soleHolder(identifier)
        : asPart("look-up sole-holder", () => soleHolders.ask(identifier)),
  };
}

async function selectById(
  database: Database,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, PatientRow>> {
  const rows = await selectPatients(database, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
