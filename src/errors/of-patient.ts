import { type ErrorIssue, isFault } from "./fault.ts";
import { MpiError } from "./mpi-error.ts";

/** How an issue names the record that it is about. */
export function recordExpression(type: string, id: string): string {
  return `${type}.where(id = '${id}')`;
}

/** The error, naming the patient whose record it is about. */
export function ofPatient(id: bigint, error: MpiError): MpiError {
  return ofPatients([String(id)], error);
}

/** The error, naming the patients whose records it is about. */
export function ofPatients(
  ids: readonly string[],
  { issues: [first, ...others], cause }: MpiError,
): MpiError {
  const expression = ids.map((id) => recordExpression("Patient", id));
  const named = isFault(first) ? { ...first, expression } : first;
  return MpiError.of([named as ErrorIssue, ...others], { cause });
}
