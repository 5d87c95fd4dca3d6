import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { fewAtOnce } from "../concurrency/few-at-once.ts";
import { type Fault, refuseFor } from "../errors/index.ts";
import { checkStructure } from "../structure/index.ts";
import { type PatientIndex, ruleSetting } from "./patient-index.ts";
import type { StoredPatient } from "./ports.ts";
import { askedOnce } from "./register/asked-once.ts";
import { resolveAddresses } from "./register/resolve-addresses.ts";
import { type AcceptedPatient, acceptChangedPatient, acceptNewPatient } from "./rules/index.ts";
import { acceptInPlace, patientToReplace } from "./update-patient.ts";

/** A patient as it is to be written: new, or in place of the one of an id, which is empty where a condition names it. */
export interface PatientWrite {
  readonly id?: string;
  readonly patient: Patient;
}

const WRITES_AT_ONCE = 8;

/**
 * Does work that writes patients, the addresses of those that the rules take asked for before it: so that nobody's row
 * is locked while the registry takes its time. What goes wrong is said where the work asks, and gets the same answer.
 */
export async function addressesAskedAhead<Result>(
  index: PatientIndex,
  writes: readonly PatientWrite[],
  work: () => Promise<Result>,
): Promise<Result> {
  const withAddresses = writes.filter(({ patient }) => patient.address.length > 0);
  if (withAddresses.length === 0) return await work();
  return await askedOnce(async () => {
    await fewAtOnce(withAddresses, WRITES_AT_ONCE, (write) => askAhead(index, write).catch(saidLater));
    return await work();
  });
}

async function askAhead(index: PatientIndex, write: PatientWrite): Promise<void> {
  const { id, patient: given } = write;
  const current = id ? await patientToReplace(index, id, given) : undefined;
  if (!current) refuseFor(checkStructure(PatientSchema, given));
  const { patient, faults } = await accepted(index, write, current);
  refuseFor(faults.filter(isLasting));
  await resolveAddresses(index.addresses, patient, given, current?.patient.address);
}

async function accepted(
  index: PatientIndex,
  { id, patient: given }: PatientWrite,
  current: StoredPatient | undefined,
): Promise<AcceptedPatient> {
  if (current) return await acceptInPlace(index, current, given);
  const setting = ruleSetting(index);
  if (id === undefined) return acceptNewPatient(given, setting);
  // The condition is not evaluated yet: as a change of itself the patient meets only the rules that do not look at the past.
  return acceptChangedPatient(given, given, setting);
}

/** A reference by a search is not resolved yet: that it is invalid now need not last. */
function isLasting({ meaning }: Fault): boolean {
  return meaning !== "REFERENCE_INVALID";
}

function saidLater(): void {}
