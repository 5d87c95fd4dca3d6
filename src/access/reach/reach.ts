import type { Caller } from "../../call/caller.ts";
import { MpiError } from "../../errors/index.ts";
import { personalCodeToken } from "../../identifiers/index.ts";
import type { PatientStore } from "../../patients/ports.ts";
import { idsOfEach } from "../asked/named-patients.ts";
import type { Subject } from "../asked/subjects.ts";
import { representationBy } from "../matrix/roles.ts";
import type { IsLegalRepresentative } from "./legal-representation.ts";

/** What is asked to know which records a consumer reaches. */
export interface ConsumerReach {
  readonly patients: Pick<PatientStore, "holders" | "group">;
  readonly isLegalRepresentative: IsLegalRepresentative;
}

/** An id that no record has: stands for a subject that names nobody. */
const NOBODY = -1n;

/**
 * Refuses a consumer the records of anybody but themselves and the one they represent (MPI-052). A linked group is
 * one person. What names nobody is refused alike, and after the same questions, so that nobody learns whom the index
 * holds, by the time that it takes neither.
 */
export async function refuseBeyondReach(
  reach: ConsumerReach,
  caller: Caller,
  subjects: readonly Subject[],
): Promise<void> {
  const wanted = (await idsOfEach(reach.patients, subjects)).flatMap((ids) =>
    ids.length > 0 ? ids : NOBODY,
  );
  const own = await recordsOf(reach, caller.personalCode);
  const others = wanted.filter((id) => !own.has(id));
  if (others.length === 0 || (await representsAll(reach, caller, others))) return;
  throw new MpiError("PATIENT_ACCESS_DENIED");
}

/** Ids of the records of a person: the linked groups of those who hold the personal code. */
async function recordsOf({ patients }: ConsumerReach, personalCode: string): Promise<ReadonlySet<bigint>> {
  const holders = await patients.holders([personalCodeToken(personalCode)]);
  const groups = await Promise.all(holders.map((id) => patients.group(id)));
  return new Set(groups.flat());
}

/** Whether all of these are records of the one whom the caller represents. The register is asked last of all. */
async function representsAll(
  reach: ConsumerReach,
  { role, represented, personalCode }: Caller,
  ids: readonly bigint[],
): Promise<boolean> {
  const by = representationBy(role);
  if (by === "none" || represented === undefined) return false;
  const records = await recordsOf(reach, represented);
  if (!ids.every((id) => records.has(id))) return false;
  return by === "token" || (await reach.isLegalRepresentative(personalCode, represented));
}
