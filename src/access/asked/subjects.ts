import type { Identifier, Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { PatientSelector } from "#proto/patientindex/v1/linkage_service_pb.ts";
import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { parseDependentId } from "../../dependents/index.ts";
import { type IdentifierToken, identifierTokenOf } from "../../identifiers/index.ts";
import { isReferring, referenceParameters, referredTo } from "../../references/index.ts";
import { patientNumber } from "../../resources/index.ts";
import { readIdentifier, readOperationIdentifier, splitValues } from "../../search/index.ts";

/** A patient as a request names one; "nobody" for a name that no patient can have. */
export type Subject = { readonly id: bigint } | { readonly identifier: IdentifierToken } | "nobody";

const BY_IDENTIFIER: ReadonlySet<string> = new Set(
  referenceParameters.flatMap((name) => [`${name}.identifier`, `${name}:identifier`]),
);
/** By what any other search or operation names a patient. */
const NAMING: ReadonlySet<string> = new Set([...referenceParameters, ...BY_IDENTIFIER]);
/** By what a search for patients and $lookup name them. */
const OF_PATIENT: ReadonlySet<string> = new Set(["identifier", "identifier.value", "patient-identifier"]);
/** As many as a page of results holds: no search writes more entries than that. */
const MOST_NAMED = 100;

/** The patient of an id. */
export function patientOfId(id: string): Subject[] {
  const number = patientNumber(id);
  return [number === undefined ? "nobody" : { id: number }];
}

/** The patient with whom a contact person or an observation lies, by the id of that. */
export function patientOfDependent(id: string): Subject[] {
  const dependent = parseDependentId(id);
  return [dependent ? { id: dependent.patientId } : "nobody"];
}

/** The patient of a reference in a body, by its address, else by its identifier; none when it says neither. */
export function patientOfReference(reference: Reference | undefined): Subject[] {
  if (!reference || !isReferring(reference)) return [];
  if (reference.reference !== undefined) return patientOfAddress(reference.reference);
  return [reference.identifier ? holderOfIdentifier(reference.identifier) : "nobody"];
}

/**
 * The patient of a link, by id and by identifiers that are the patient's own. They may be those of several: then it is
 * refused, which tells of each of them.
 */
export function patientsOfSelector(selector: PatientSelector | undefined): Subject[] {
  if (!selector) return [];
  const byId = selector.id === "" ? [] : patientOfId(selector.id);
  const named = [...byId, ...selector.identifiers.slice(0, MOST_NAMED).map(holderOfIdentifier)];
  return named.length > 0 ? named : ["nobody"];
}

/**
 * The patient with whom an observation lies, and those whom it names as the other person, by address. One that names more
 * than may be there is refused for that, and none of them is looked at.
 */
export function patientsOfObservation(observation: Observation | undefined): Subject[] {
  const others = (observation?.focus ?? []).slice(0, MOST_NAMED).map(referredTo);
  return [
    ...patientOfReference(observation?.subject),
    ...others.flatMap((other) => (other?.type === "Patient" ? patientOfId(other.id) : [])),
  ];
}

/** The patients that the parameters of a search for patients name. */
export function patientsOfPatientSearch(parameters: readonly SearchParameter[]): Subject[] {
  return parameters
    .filter(({ name }) => name === "_id" || OF_PATIENT.has(name))
    .flatMap(({ name, value }) => splitValues(value).map((one) => ({ name, value: one })))
    .slice(0, MOST_NAMED)
    .flatMap(({ name, value }) =>
      name === "_id" ? patientOfId(value) : holderOf(readIdentifier(name, value)),
    );
}

/** The patient whom $lookup looks up. */
export function patientsOfLookup(parameters: readonly SearchParameter[]): Subject[] {
  return parameters
    .filter(({ name }) => OF_PATIENT.has(name))
    .slice(0, MOST_NAMED)
    .flatMap(({ name, value }) => holderOf(readOperationIdentifier(name, value)));
}

/** The patients that the parameters of any other search name: by a bare id too. */
export function patientsOfSearch(parameters: readonly SearchParameter[]): Subject[] {
  const patientOf = (value: string) => (/^\d+$/.test(value) ? patientOfId(value) : patientOfAddress(value));
  return patientsNamed(parameters, patientOf, readIdentifier);
}

/** The patients that the parameters of any other operation name: by a bare personal code too. */
export function patientsOfOperation(parameters: readonly SearchParameter[]): Subject[] {
  return patientsNamed(parameters, patientOfAddress, readOperationIdentifier);
}

function patientsNamed(
  parameters: readonly SearchParameter[],
  patientOf: (reference: string) => Subject[],
  read: typeof readIdentifier,
): Subject[] {
  const naming = parameters.filter(({ name, value }) => value !== "" && NAMING.has(name));
  const named = naming
    .slice(0, MOST_NAMED)
    .flatMap(({ name, value }) => (BY_IDENTIFIER.has(name) ? holderOf(read(name, value)) : patientOf(value)));
  // The rest are not looked up: a consumer who names so many is refused as if one of them were out of reach.
  return naming.length > MOST_NAMED ? [...named, "nobody"] : named;
}

function patientOfAddress(address: string): Subject[] {
  const target = referredTo({ reference: address });
  return target?.type === "Patient" ? patientOfId(target.id) : ["nobody"];
}

function holderOfIdentifier(given: Identifier): Subject {
  const identifier = identifierTokenOf(given);
  return identifier ? { identifier } : "nobody";
}

function holderOf(read: ReturnType<typeof readIdentifier>): Subject[] {
  return ["meaning" in read ? "nobody" : { identifier: read }];
}
