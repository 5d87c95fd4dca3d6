import { randomUUID } from "node:crypto";
import type { AuditEntry } from "../../../src/audit/index.ts";
import { openAuditTrail, type Storage } from "../../../src/storage/index.ts";

/** As many as the trail writes in one statement. */
const BATCH = 1000;
/** They are as far apart as those of a service that is read a thousand times a second. */
const APART_MS = 1;

/** Records reads of patients until there are so many entries in all, sealed and chained as a service does it; answers with how many those were. */
export async function recordEntries({ database, keys }: Storage, entries: number): Promise<number> {
  const [row] = await database.$queryRaw<{ recorded: bigint }[]>`
    SELECT coalesce(sum(n), 0)::bigint AS recorded FROM audit_stream`;
  const missing = entries - Number(row?.recorded ?? 0);
  if (missing <= 0) return 0;
  const patients = await database.$queryRaw<{ id: bigint }[]>`SELECT id FROM patient`;
  const now = Date.now();
  const failed = (cause: unknown) => console.error(cause);
  const trail = await openAuditTrail(database, keys, new Date(now), failed);
  for (let done = 0; done < missing; done += BATCH) {
    const count = Math.min(BATCH, missing - done);
    const batch = Array.from({ length: count }, (_, n) => {
      const patient = patients[Math.floor(Math.random() * patients.length)];
      return readOf(patient?.id, new Date(now - (missing - done - n) * APART_MS));
    });
    await trail.record(batch);
  }
  return missing;
}

function readOf(patientId: bigint | undefined, recordedAt: Date): AuditEntry {
  return {
    action: "R",
    method: "PatientService/ReadPatient",
    requestId: randomUUID(),
    actor: {
      personalCode: "38010130257",
      name: "Sander Oliver Luik",
      role: "doctor",
      organization: "90001478",
      application: "hospital",
    },
    patientId,
    recordedAt,
  };
}
