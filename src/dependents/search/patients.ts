import { noteLook } from "../../call/current-call.ts";
import { atParameter, MpiError } from "../../errors/index.ts";
import type { IdentifierToken } from "../../identifiers/index.ts";
import { patientNumber } from "../../resources/index.ts";
import type { PatientDirectory } from "../ports.ts";
import type { WantedPatient } from "./parameters.ts";

/**
 * Ids of the patients with whom the resources of a search lie (spec http-api.md, "Operations"): MPI-021 for an id of
 * nobody, MPI-045 and MPI-046 for an identifier of nobody or of several. An identifier means the whole linked group
 * of its holder, an id the one patient.
 */
export async function searchedPatients(
  directory: PatientDirectory,
  wanted: readonly WantedPatient[],
): Promise<bigint[]> {
  const lists = await Promise.all(
    wanted.map((one) =>
      "id" in one ? patientOf(directory, one.id, one.param) : groupOf(directory, one.identifier, one.param),
    ),
  );
  const [first = [], ...others] = lists;
  const found = first.filter((id) => others.every((list) => list.includes(id)));
  for (const id of found) noteLook(id);
  return found;
}

async function patientOf(directory: PatientDirectory, id: string, param: string): Promise<bigint[]> {
  const number = patientNumber(id);
  if (number === undefined || !(await directory.exists(number))) {
    throw new MpiError("PATIENT_NOT_FOUND", {}, atParameter(param));
  }
  return [number];
}

async function groupOf(
  directory: PatientDirectory,
  identifier: IdentifierToken,
  param: string,
): Promise<bigint[]> {
  const holders = await directory.holders([identifier]);
  const [first] = holders;
  if (first === undefined) {
    throw new MpiError("IDENTIFIER_OF_NOBODY", { param }, atParameter(param));
  }
  const group = await directory.group(first);
  if (!holders.every((holder) => group.includes(holder))) {
    throw new MpiError("IDENTIFIER_OF_SEVERAL", { param }, atParameter(param));
  }
  return group;
}
