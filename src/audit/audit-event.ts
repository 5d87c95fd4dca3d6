import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type AuditEvent, AuditEventSchema } from "#proto/patientindex/v1/audit_event_pb.ts";
import { IDENTIFIER_BASE } from "../identifiers/index.ts";
import { instantText } from "../time/fhir-date.ts";
import type { AuditAction, AuditActor } from "./entry.ts";
import { interactionOf } from "./method.ts";
import type { RecordedEntry } from "./ports.ts";

type Init = MessageInitShape<typeof AuditEventSchema>;
type Agent = NonNullable<Init["agent"]>[number];
type Entity = NonNullable<Init["entity"]>[number];
type Concept = NonNullable<Init["code"]>;

/** Actions whose agent is an author; in all others the agent received information. */
const WRITES: ReadonlySet<AuditAction> = new Set(["C", "U", "D"]);

const INTERACTIONS = "http://hl7.org/fhir/restful-interaction";
const OPERATION = "operation";
const SEVERITIES = "http://hl7.org/fhir/issue-severity";
const PARTICIPATION = "http://terminology.hl7.org/CodeSystem/v3-ParticipationType";
const EVENT_TYPES = "http://terminology.hl7.org/CodeSystem/audit-event-type";
const ENTITIES = "https://profiles.ihe.net/ITI/BALP/CodeSystem/BasicAuditEntityType";
const PERSONAL_CODE = `${IDENTIFIER_BASE}/est/ni`;
const REGISTRY_CODE = "https://fhir.ee/sid/org/est/br";
const URI = "urn:ietf:rfc:3986";
const INDEX = "Master patient index";
const UNKNOWN = "Unknown caller";

/** An entry of the trail as FHIR's AuditEvent. */
export function auditEventOf(recorded: RecordedEntry): AuditEvent {
  const entry = withoutUnknownWords(recorded);
  const { action, method, recordedAt, patientId, refusal, issue } = entry;
  return create(AuditEventSchema, {
    id: eventId(entry),
    category: [coded(EVENT_TYPES, "rest", "RESTful Operation")],
    code: codeOf(method),
    action,
    recorded: instantText(recordedAt),
    outcome: outcomeOf(refusal),
    ...(issue !== undefined && { authorization: [{ text: issue }] }),
    ...(patientId !== undefined && { patient: { reference: `Patient/${patientId}` } }),
    agent: agentsOf(entry),
    source: { observer: { display: INDEX } },
    entity: entitiesOf(entry),
  });
}

/** Reason and request id of an unknown caller are left out: they may hold any text, and patients read the entry. */
function withoutUnknownWords(entry: RecordedEntry): RecordedEntry {
  return isOfUnknown(entry) ? { ...entry, issue: undefined, requestId: undefined } : entry;
}

/** Background work of the index itself has no method. */
function isOfUnknown({ actor, method }: RecordedEntry): boolean {
  return actor === undefined && method !== undefined;
}

/** The stream and the place in it; a lane's begins with `w`. */
function eventId({ streamId, n }: RecordedEntry): string {
  return streamId < 0n ? `w${-streamId}-${n}` : `${streamId}-${n}`;
}

/** What was done: FHIR's interaction, and the method as its text. Work of the index itself has no method. */
function codeOf(method: string | undefined): Concept {
  if (method === undefined) return coded(INTERACTIONS, OPERATION, "Background work");
  return coded(INTERACTIONS, interactionOf(method), method);
}

function outcomeOf(refusal: string | undefined): NonNullable<Init["outcome"]> {
  if (refusal === undefined) return { code: { system: SEVERITIES, code: "success" } };
  return { code: { system: SEVERITIES, code: "error" }, detail: [{ text: refusal }] };
}

/**
 * Who asked, then for whom or with what; a caller of whom nothing is known is shown as unknown. Of a refusal it is not told whom the user
 * represents: that may be somebody else than the patient, who has no part in it.
 */
function agentsOf(entry: RecordedEntry): Agent[] {
  const { actor, action, register, refusal } = entry;
  const registers: Agent[] =
    register === undefined ? [] : [agent("AUT", { identifier: { system: URI, value: register } }, false)];
  if (actor) {
    const shown = refusal === undefined ? actor : { ...actor, represented: undefined };
    return [...agentsOfActor(shown, WRITES.has(action) ? "AUT" : "IRCP"), ...registers];
  }
  const unknown = isOfUnknown(entry) ? UNKNOWN : INDEX;
  return [agent("PRF", { display: unknown }, registers.length === 0), ...registers];
}

function agentsOfActor(actor: AuditActor, type: string): Agent[] {
  const { personalCode, name, role, organization, application, represented } = actor;
  const user = agent(type, userOf(personalCode, name), true);
  return [
    role === undefined ? user : { ...user, role: [{ text: role }] },
    ...(organization === undefined ? [] : [agent("CST", institution(organization), false)]),
    ...(application === undefined ? [] : [agent("DEV", { display: application }, false)]),
    ...(represented === undefined ? [] : [agent("SBJ", person(represented), false)]),
  ];
}

/** Somebody without a personal code is told by the name alone. */
function userOf(personalCode: string | undefined, name: string | undefined) {
  if (personalCode === undefined) return { display: name ?? UNKNOWN };
  return { ...person(personalCode), ...(name !== undefined && { display: name }) };
}

function institution(organization: string) {
  return { identifier: { system: REGISTRY_CODE, value: organization } };
}

function person(personalCode: string) {
  return { identifier: { system: PERSONAL_CODE, value: personalCode } };
}

function agent(type: string, who: NonNullable<Agent["who"]>, requestor: boolean) {
  return { type: { coding: [{ system: PARTICIPATION, code: type }] }, who, requestor };
}

function entitiesOf({ patientId, resources = [], requestId }: RecordedEntry): Entity[] {
  const whole = patientId === undefined ? [] : [`Patient/${patientId}`];
  const met = resources.length > 0 ? resources : whole;
  const request = requestId === undefined ? [] : [requestEntity(requestId)];
  return [...met.map((reference) => ({ what: { reference } })), ...request];
}

/** The id by which the request is found in logs and by registers. */
function requestEntity(requestId: string): Entity {
  return {
    what: { identifier: { value: requestId } },
    role: coded(ENTITIES, "XrequestId", "X-Request-Id"),
  };
}

function coded(system: string, code: string, text: string): Concept {
  return { coding: [{ system, code }], text };
}
