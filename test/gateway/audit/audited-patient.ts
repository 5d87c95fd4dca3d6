import type { Settings } from "../../../src/config.ts";
import { doctor, type TestCaller } from "../../callers.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { everybody, RR } from "../registers/register-answers.ts";

const [somebody] = everybody;

export const personalCode = somebody?.personalCode ?? "";

/** The patient whose trail is looked at, as a caller. */
export const patient: TestCaller = { ...doctor, personalCode, name: "The patient", role: "patient" };

export interface AuditEventJson {
  readonly id: string;
  readonly action: string;
  readonly code: { readonly text: string; readonly coding: readonly { readonly code: string }[] };
  readonly outcome: {
    readonly code: { readonly code: string };
    readonly detail?: readonly { text: string }[];
  };
  readonly recorded: string;
  readonly agent: readonly unknown[];
  readonly entity?: readonly { readonly what: { readonly reference?: string } }[];
}

export interface AuditedPatient {
  readonly service: RunningService;
  readonly id: string;
  /** As the doctor does. */
  get(path: string, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** The trail as the patient sees it. */
  trail(query?: string, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** The newest entry that is not the look at the trail itself. */
  latest(): Promise<AuditEventJson>;
}

/** A service with a patient whom a look-up in the register stored. */
export async function auditedPatient(settings: Partial<Settings> = {}): Promise<AuditedPatient> {
  const service = await startService(settings);
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(`${service.url}/fhir/${path}`, { headers });
  const found = await get(`Patient/$lookup?identifier=${personalCode}&source=${RR}`, {
    "x-road-issue": "k%C3%A4sitlus 17",
  });
  const id: string = found.json.entry[0].resource.id;
  const trail = (query = "", headers: Record<string, string> = {}) =>
    send(`${service.url}/fhir/AuditEvent?patient=Patient/${id}${query}`, { as: patient, headers });
  const latest = async () => {
    const events = eventsOf(await trail());
    const newest = events.find(({ code }) => code.text !== "AuditService/SearchAuditEvents");
    if (!newest) throw new Error("There is no entry.");
    return newest;
  };
  return { service, id, get, trail, latest };
}

export function eventsOf({ json }: HttpAnswer): AuditEventJson[] {
  return (json.entry ?? [])
    .filter(({ search }: { search: { mode: string } }) => search.mode === "match")
    .map(({ resource }: { resource: AuditEventJson }) => resource);
}
