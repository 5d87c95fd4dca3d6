import { type Fault, fault } from "../../errors/index.ts";

/** Says that so many patients have the identifiers of a body: MPI-010, of several MPI-017. */
export function identifiersTaken(holders: number): Fault {
  const meaning = holders > 1 ? "IDENTIFIERS_OF_SEVERAL_PATIENTS" : "PATIENT_ALREADY_EXISTS";
  return fault(meaning, {}, { expression: ["Patient.identifier"] });
}
