import { type ErrorIssue, isFault } from "./fault.ts";
import { MpiError } from "./mpi-error.ts";

/** How an issue names the patient whose record it is about. */
export function patientExpression(id: bigint): string {
  return `Patient.where(id = '${id}')`;
}

/** The error, naming the patient whose record it is about. */
export function ofPatient(id: bigint, { issues: [first, ...others], cause }: MpiError): MpiError {
  const named = isFault(first) ? { ...first, expression: [patientExpression(id)] } : first;
  return MpiError.of([named as ErrorIssue, ...others], { cause });
}
