import type { AuditAction } from "./entry.ts";

const ACTIONS: readonly (readonly [RegExp, AuditAction])[] = [
  [/^(?:Create|Load)/, "C"],
  [/^(?:Update|Link|Unlink|Confirm|Dismiss)/, "U"],
  [/^Delete/, "D"],
  [/^(?:Search|Lookup|Find|Match|Process|Validate)/, "E"],
];

const INTERACTIONS: readonly (readonly [RegExp, string])[] = [
  [/^Read\w+Version$/, "vread"],
  [/^Read/, "read"],
  [/^Create/, "create"],
  [/^Update/, "update"],
  [/^Delete/, "delete"],
  [/^List\w+History$/, "history-instance"],
  [/^List\w+Changes$/, "history-type"],
  [/^Search/, "search-type"],
];

const OF_RESOURCES: ReadonlySet<string> = new Set([
  "PatientService",
  "RelatedPersonService",
  "ObservationService",
  "AuditService",
]);

const actions = new Map<string, AuditAction>();

/** What a method, such as `PatientService/ReadPatient`, does to the data that it meets, as AuditEvent.action says it. */
export function actionOf(method: string): AuditAction {
  let action = actions.get(method);
  if (action === undefined) {
    const [, name] = split(method);
    action = ACTIONS.find(([pattern]) => pattern.test(name))?.[1] ?? "R";
    actions.set(method, action);
  }
  return action;
}

/** The RESTful interaction of FHIR that a method stands for; an operation where it is none. */
export function interactionOf(method: string): string {
  const [service, name] = split(method);
  const found = OF_RESOURCES.has(service) && INTERACTIONS.find(([pattern]) => pattern.test(name));
  return found ? found[1] : "operation";
}

function split(method: string): [service: string, name: string] {
  const [service = "", name = ""] = method.split("/");
  return [service, name];
}
