import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { fewAtOnce } from "../../call/few-at-once.ts";
import { acceptPatient } from "../create-patient.ts";
import type { PatientIndex } from "../patient-index.ts";
import { acceptChange } from "../update-patient.ts";
import { askedOnce } from "./asked-once.ts";

/** A patient as it is to be written: new, or in place of the one of an id. */
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

async function askAhead(index: PatientIndex, { id, patient }: PatientWrite): Promise<void> {
  if (id === undefined) await acceptPatient(index, patient);
  else await acceptChange(index, id, patient);
}

function saidLater(): void {}
