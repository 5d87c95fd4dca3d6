import type { AuditAction } from "./entry.ts";

const ACTIONS: readonly (readonly [RegExp, AuditAction])[] = [
  [/^Create/, "C"],
  [/^(?:Update|Link|Unlink|Confirm|Dismiss)/, "U"],
  [/^Delete/, "D"],
  [/^(?:Search|Lookup|Find|Match|Process|Validate)/, "E"],
];

/** What a method, such as `PatientService/ReadPatient`, does to the data that it meets, as AuditEvent.action says it. */
export function actionOf(method: string): AuditAction {
  const [, name = ""] = method.split("/");
  return ACTIONS.find(([pattern]) => pattern.test(name))?.[1] ?? "R";
}
