import type { AuditEvent } from "#proto/patientindex/v1/audit_event_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { type PatientDirectory, searchedPatients } from "../dependents/index.ts";
import { type Fault, refuseFor } from "../errors/index.ts";
import { ignoredNotes, understood, unsuitable } from "../search/index.ts";
import { auditEventOf } from "./audit-event.ts";
import type { AuditReader } from "./ports.ts";
import { parseTrailSearch } from "./search/parameters.ts";
import { placeToken, trailName } from "./search/place.ts";

/** What the trail is searched with. */
export interface AuditIndex {
  readonly reader: AuditReader;
  readonly patients: PatientDirectory;
}

export interface FoundAuditEvents {
  readonly events: AuditEvent[];
  readonly total: number;
  /** Empty on the last page. */
  readonly nextPageToken: string;
  /** What the searcher should know: parameters that were ignored. */
  readonly notes: Fault[];
}

/**
 * What was done with the data of a patient, newest first (spec http-api.md, AuditEvent): MPI-021 for an id of nobody,
 * MPI-045 and MPI-046 as in other searches. A linked group is one person, so what was done with any of its patients
 * is found by each.
 */
export async function searchAuditEvents(
  { reader, patients }: AuditIndex,
  parameters: readonly SearchParameter[],
  lenient: boolean,
): Promise<FoundAuditEvents> {
  const { patients: wanted, spans, size, after, ignored } = understood(parseTrailSearch(parameters, lenient));
  const found = await searchedPatients(patients, wanted);
  const list = trailName(found, spans);
  if (after && after.list !== list) refuseFor([unsuitable("_page")]);
  const groups = await Promise.all(found.map((id) => patients.group(id)));
  const page = await reader.find({ patients: [...new Set(groups.flat())], spans, size, after: after?.place });
  const last = page.entries.at(-1);
  return {
    events: page.entries.map(auditEventOf),
    total: page.total,
    nextPageToken: page.hasMore && last ? placeToken(last, list) : "",
    notes: ignoredNotes(ignored),
  };
}
