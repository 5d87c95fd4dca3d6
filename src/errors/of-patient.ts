import { type ErrorIssue, isFault } from "./fault.ts";
import { MpiError } from "./mpi-error.ts";

/** How an issue names the record that it is about. */
export function recordExpression(type: string, id: string): string {
  return `${type}.where(id = '${id}')`;
}

/** The error, naming the patient whose record it is about. */
export function ofPatient(id: bigint, { issues: [first, ...others], cause }: MpiError): MpiError {
  const named = isFault(first) ? { ...first, expression: [recordExpression("Patient", String(id))] } : first;
  return MpiError.of([named as ErrorIssue, ...others], { cause });
}
