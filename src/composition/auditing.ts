import type { Logger } from "pino";
import type { AuditTrail } from "../audit/index.ts";
import { causesOf } from "../errors/index.ts";
import type { KeyRing } from "../identifier-index/index.ts";
import { type Database, mayChangeEntries, openAuditTrail } from "../storage/index.ts";

const SWITCHED_OFF =
  "The audit trail is switched off (MPI_AUDIT): nothing that is read or written leaves a trace. For measurements only";
const MAY_CHANGE =
  "The role of the database may change audit entries: run the service as one that is no superuser and has no such rights";

/** The audit trail of a core, on its database; undefined when it is switched off. */
export async function auditTrailOf(
  { audit }: { readonly audit: boolean },
  database: Database,
  ring: KeyRing,
  log: Logger,
): Promise<AuditTrail | undefined> {
  if (!audit) {
    log.error(SWITCHED_OFF);
    return undefined;
  }
  if (await mayChangeEntries(database)) log.warn(MAY_CHANGE);
  return await openAuditTrail(database, ring, new Date(), (error) =>
    log.error({ causes: causesOf(error) }, "a new key for audit entries could not be made"),
  );
}
