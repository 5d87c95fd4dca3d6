import type { AuditAction } from "./entry.ts";

/** What methods do, by the verb that their name begins with: each that a service offers has one of these. */
const VERBS: Readonly<Record<AuditAction, readonly string[]>> = {
  C: ["Create", "Load"],
  // Jobs have nobody's data.
  R: ["Read", "List", "Generate", "Get", "Watch", "Start", "Cancel"],
  U: ["Update", "Link", "Unlink", "Confirm", "Dismiss"],
  D: ["Delete"],
  E: ["Search", "Lookup", "Find", "Match", "Process", "Validate"],
};

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

const actionsByVerb: ReadonlyMap<string, AuditAction> = new Map(
  (Object.keys(VERBS) as AuditAction[]).flatMap((action) =>
    VERBS[action].map((verb) => [verb, action] as const),
  ),
);
const actions = new Map<string, AuditAction>();

/** What a method, such as `PatientService/ReadPatient`, does to the data that it meets, as AuditEvent.action says it. */
export function actionOf(method: string): AuditAction {
  let action = actions.get(method);
  if (action === undefined) {
    action = actionByVerb(method) ?? "R";
    actions.set(method, action);
  }
  return action;
}

/** The same; undefined when its verb is none that is known. */
export function actionByVerb(method: string): AuditAction | undefined {
  const [, name] = split(method);
  const [verb = ""] = /^[A-Z][a-z]*/.exec(name) ?? [];
  return actionsByVerb.get(verb);
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
