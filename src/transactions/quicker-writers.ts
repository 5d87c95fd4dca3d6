// Others who store what fits the criteria of an entry, after its condition was looked at.

import { type ErrorIssue, MpiError } from "../errors/index.ts";
import { type Found, meantBy, type Perform } from "./conditions.ts";
import type { Entry } from "./entries.ts";
import { patientNamedBy, patientsOf } from "./patients-of-entry.ts";
import { isWritten, type Progress } from "./progress.ts";
import type { Transactions } from "./transactions.ts";

/**
 * The database refuses nobody who creates what lies with a patient, so the criteria are looked at again under the lock
 * of the patient. What this transaction has written itself does not count.
 */
export async function quickerNeighbour(
  { work, perform, holders }: Transactions,
  entry: Entry,
  progress: Progress,
): Promise<Found | undefined> {
  if (entry.type === "Patient" || !isConditionalCreation(entry)) return undefined;
  const { reference, identifier } = patientNamedBy(entry) ?? {};
  const isByIdentifier = reference === undefined && identifier !== undefined;
  await work.lockPatients(isByIdentifier ? await holders(identifier) : patientsOf(entry, progress.stored));
  const { shown } = await meantBy(perform, entry.type, entry.criteria);
  const [winner, another] = shown.filter(({ id }) => !isWritten(entry, id, progress));
  if (another) throw new MpiError("CONDITION_NOT_SELECTIVE");
  return winner;
}

/**
 * Of two who create at once what fits criteria the database refuses one, for that alone: it finds what the other
 * stored.
 */
export async function quickerCreation(
  perform: Perform,
  entry: Entry,
  error: unknown,
): Promise<Found | undefined> {
  const isTaken = error instanceof MpiError && error.issues.every(isTakenIdentifier);
  if (!isTaken || !isConditionalCreation(entry)) return undefined;
  const { total, first } = await meantBy(perform, entry.type, entry.criteria);
  return total === 1 ? first : undefined;
}

function isConditionalCreation({ verb, criteria }: Entry): boolean {
  return verb === "create" && criteria.length > 0;
}

function isTakenIdentifier(issue: ErrorIssue): boolean {
  return "meaning" in issue && issue.meaning === "PATIENT_ALREADY_EXISTS";
}
