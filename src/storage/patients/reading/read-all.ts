import type { IndexKeys } from "../../../identifier-index/index.ts";
import type { PatientsOfPage } from "../../../patients/ports.ts";
import { fitting } from "../../../resources/index.ts";
import type { Database } from "../../connection/database.ts";
import { storedBytes } from "../../sealing/stored-bytes.ts";
import { readablePatients } from "./groups.ts";
import { selectPatientsOnPage } from "./read-patients.ts";

/** Patients in the order of the ids, as far as they fit on a page. */
export async function readAll(
  database: Database,
  keys: IndexKeys,
  ids: readonly bigint[],
): Promise<PatientsOfPage> {
  const rows = await selectPatientsOnPage(database, ids);
  const kept = fitting(rows, storedBytes);
  return { ...(await readablePatients(database, keys, kept)), isCut: kept.length < rows.length };
}
