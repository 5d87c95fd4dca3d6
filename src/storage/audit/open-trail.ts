import type { AuditTrail } from "../../audit/index.ts";
import type { KeyRing } from "../../identifier-index/index.ts";
import type { Database } from "../connection/database.ts";
import { AuditKeys } from "./audit-keys.ts";
import { Lane } from "./lane.ts";
import { auditWrites } from "./write-entries.ts";

/**
 * Begins a trail on a database: its transactions write the entries of their writes from now on, and the answer takes
 * those of everything else, in a lane of its own. `onFailure` is told of what goes wrong beside the calls.
 */
export async function openAuditTrail(
  database: Database,
  ring: KeyRing,
  now: Date,
  onFailure: (cause: unknown) => void,
): Promise<AuditTrail> {
  const auditKeys = await AuditKeys.create(database, ring, now, onFailure);
  auditWrites(database, auditKeys);
  return new Lane(database, auditKeys);
}
