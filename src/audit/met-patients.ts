import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type AuditEvent, AuditEventSchema } from "#proto/patientindex/v1/audit_event_pb.ts";
import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import {
  type PossibleDuplicate,
  PossibleDuplicateSchema,
} from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { type PatientLink, PatientLinkSchema } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import {
  type TransactionResult,
  TransactionResultSchema,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { parseDependentId } from "../dependents/dependent-id.ts";
import { patientNumber } from "../resources/index.ts";

/** Patients, each with what of theirs was met, such as `RelatedPerson/70001`; with nothing: the patient as such. */
export type MetPatients = Map<bigint, Set<string>>;

type Meet = (message: Message, met: MetPatients) => void;

/** The messages that tell of a patient. Nobody is looked for inside of them: what they refer to is not shown. */
const TELLING: ReadonlyMap<string, Meet> = new Map<string, Meet>([
  [PatientSchema.typeName, meetPatient],
  [RelatedPersonSchema.typeName, meetRelatedPerson],
  [ObservationSchema.typeName, meetObservation],
  [PatientLinkSchema.typeName, meetLinked],
  [PossibleDuplicateSchema.typeName, meetPossibleDuplicate],
  [AuditEventSchema.typeName, (message, met) => meetReferred(met, (message as AuditEvent).patient)],
  [TransactionResultSchema.typeName, meetResult],
]);

/** Notes every patient whose data are in an answer, whatever method it is of. */
export function meetPatients(schema: DescMessage, answer: Message, met: MetPatients): void {
  meetMessage(schema, answer, met);
}

/** What of a patient's was met; nothing where it is the patient as such alone. */
export function resourcesMet(patientId: bigint, resources: ReadonlySet<string>): string[] {
  if (resources.size === 1 && resources.has(PATIENT_ITSELF)) return [];
  return [...resources].map((one) => (one === PATIENT_ITSELF ? `Patient/${patientId}` : one));
}

/** Stands for the address of the patient: to make one for each who is read costs more than all the rest. */
const PATIENT_ITSELF = "Patient";

/** Notes a patient by id, with a resource of theirs. */
export function meet(met: MetPatients, id: string | bigint | undefined, resource?: string): void {
  const patientId = typeof id === "bigint" ? id : patientNumber(id ?? "");
  if (patientId === undefined) return;
  const resources = met.get(patientId) ?? new Set<string>();
  if (resource !== undefined) resources.add(resource);
  met.set(patientId, resources);
}

function meetMessage(schema: DescMessage, message: Message, met: MetPatients): void {
  const telling = TELLING.get(schema.typeName);
  if (telling) telling(message, met);
  else for (const field of fieldsOf(schema)) meetField(field, message, met);
}

function meetField(field: DescField, message: Message, met: MetPatients): void {
  const schema = field.message;
  const value = chosenIn(message, field);
  if (!schema || value === undefined) return;
  if (!Array.isArray(value)) meetMessage(schema, value as Message, met);
  else for (const one of value as Message[]) meetMessage(schema, one, met);
}

function chosenIn(message: Message, { localName, oneof }: DescField): unknown {
  const members = message as unknown as Record<string, unknown>;
  if (!oneof) return members[localName];
  const chosen = members[oneof.localName] as { case?: string; value?: unknown };
  return chosen.case === localName ? chosen.value : undefined;
}

const fieldsBySchema = new Map<DescMessage, DescField[]>();

/** The fields of an answer that may tell of patients. */
function fieldsOf(schema: DescMessage): DescField[] {
  let fields = fieldsBySchema.get(schema);
  if (!fields) {
    fields = schema.fields.filter(({ message }) => message && isOfService(message));
    fieldsBySchema.set(schema, fields);
  }
  return fields;
}

/** Data types and error details are no patients' data by themselves. */
function isOfService({ typeName, file }: DescMessage): boolean {
  return TELLING.has(typeName) || /_service$/.test(file.name);
}

/** Beside what else of theirs is met the patient is told as well. */
function meetPatient(message: Message, met: MetPatients): void {
  meet(met, (message as Patient).id, PATIENT_ITSELF);
}

const WRITE = /^(?:create|update|delete)/;

/** A write that is a part of a transaction has its own entry. */
function meetResult(message: Message, met: MetPatients): void {
  const { response } = message as TransactionResult;
  const schema = response.case && TransactionResultSchema.field[response.case].message;
  if (schema && response.value && isRead(response)) meetMessage(schema, response.value, met);
}

/** Whether a part of a transaction looked for somebody, and tells of nobody. */
export function isLookAtNobody(result: TransactionResult): boolean {
  const met: MetPatients = new Map();
  meetResult(result, met);
  return isRead(result.response) && met.size === 0;
}

function isRead(response: TransactionResult["response"]): boolean {
  return response.case !== undefined && !WRITE.test(response.case);
}

/** What a register says has no id: then the reference tells. */
function meetObservation(message: Message, met: MetPatients): void {
  const { id, subject } = message as Observation;
  meetDependent("Observation", id, subject, met);
}

function meetRelatedPerson(message: Message, met: MetPatients): void {
  const { id, patient } = message as RelatedPerson;
  meetDependent("RelatedPerson", id, patient, met);
}

function meetDependent(
  type: string,
  id: string | undefined,
  patient: Reference | undefined,
  met: MetPatients,
) {
  const dependent = id === undefined ? undefined : parseDependentId(id);
  if (dependent) meet(met, dependent.patientId, `${type}/${id}`);
  else meetReferred(met, patient);
}

function meetLinked(message: Message, met: MetPatients): void {
  const { primaryId, secondaryId } = message as PatientLink;
  meet(met, primaryId);
  meet(met, secondaryId);
}

function meetPossibleDuplicate(message: Message, met: MetPatients): void {
  const { patientId, otherId } = message as PossibleDuplicate;
  meet(met, patientId);
  meet(met, otherId);
}

function meetReferred(met: MetPatients, reference: Reference | undefined): void {
  const [, id] = /^Patient\/(\d+)$/.exec(reference?.reference ?? "") ?? [];
  meet(met, id);
}
