import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { PersonSummary } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import type {
  DayPeriod,
  RegisteredOrganization,
} from "#proto/patientindex/registers/v1/register_query_pb.ts";
import {
  type ContainedResource,
  ContainedResourceSchema,
} from "#proto/patientindex/v1/contained_resource_pb.ts";
import { type CodeableConcept, CodeableConceptSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { isSaid, unknownValue } from "../content-rules/index.ts";
import { IDENTIFIER_BASE } from "../identifiers/index.ts";
import { instantText } from "../time/fhir-date.ts";
import type { NamedPatient } from "./named-patient.ts";

export const SNOMED = "http://snomed.info/sct";
export const LOINC = "http://loinc.org";
export const ROLE_CODE = "http://terminology.hl7.org/CodeSystem/v3-RoleCode";
const PROFILE = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-socialhistory-";
export const CODE_SYSTEM = "https://fhir.ee/CodeSystem/";
const BUSINESS_REGISTER = "https://fhir.ee/sid/org/est/br";
const PERFORMER = "performer";

/** A kind of observation: what it is of, and the name of its profile after the common beginning. */
export interface ObservationKind {
  readonly profile: string;
  readonly code: { readonly system: string; readonly code: string };
}

/** What an observation says. */
export interface ObservationContent {
  readonly value?: CodeableConcept;
  /** Left out of what has no period; undefined where the register does not say it. */
  readonly period?: DayPeriod | undefined;
  readonly performer?: ContainedResource;
  readonly component?: MessageInitShape<typeof ObservationSchema>["component"];
}

/** An observation of a register, without an id: it is not stored (spec http-api.md, "Operations"). */
export function observed(
  { profile, code }: ObservationKind,
  patient: NamedPatient,
  now: Date,
  content: ObservationContent,
): Observation {
  const { value, performer, component = [] } = content;
  return create(ObservationSchema, {
    meta: { profile: [PROFILE + profile] },
    status: "final",
    category: [conceptOf("http://terminology.hl7.org/CodeSystem/observation-category", "social-history")],
    code: conceptOf(code.system, code.code),
    subject: { reference: `Patient/${patient.id}` },
    issued: instantText(now),
    ...("period" in content && {
      effective: { case: "effectivePeriod", value: shownPeriod(content.period) },
    }),
    ...(value && { value: { case: "valueCodeableConcept", value } }),
    ...(performer && { contained: [performer], performer: [{ reference: `#${PERFORMER}` }] }),
    component,
  });
}

export function conceptOf(system: string, code: string, display = ""): CodeableConcept {
  const given = code === "" ? { codeElement: unknownValue() } : { code };
  return create(CodeableConceptSchema, {
    coding: [{ system, ...given, ...(isSaid(display) && { display }) }],
  });
}

/** A value of a national code list, by its name. */
export function nationalConcept(list: string, code: string, display = ""): CodeableConcept {
  return conceptOf(CODE_SYSTEM + list, code, display);
}

/** A person to whom the observation points; `role` is what the person is to the patient. */
export function personPerformer(
  patient: NamedPatient,
  person: PersonSummary,
  role?: CodeableConcept,
): ContainedResource {
  const { personalCode, birthDate, sex } = person;
  return create(ContainedResourceSchema, {
    resource: {
      case: "relatedPerson",
      value: {
        id: PERFORMER,
        identifier: identifierOf(`${IDENTIFIER_BASE}/est/ni`, personalCode),
        patient: { reference: `Patient/${patient.id}` },
        relationship: role ? [role] : [],
        name: nameOf(person),
        ...(sex !== "" && { gender: sex }),
        ...(birthDate !== "" && { birthDate }),
      },
    },
  });
}

export function organizationPerformer({ registryCode, name }: RegisteredOrganization): ContainedResource {
  return create(ContainedResourceSchema, {
    resource: {
      case: "organization",
      value: {
        id: PERFORMER,
        identifier: identifierOf(BUSINESS_REGISTER, registryCode),
        ...(isSaid(name) ? { name } : { nameElement: unknownValue() }),
      },
    },
  });
}

/** Without a value an identifier names nobody, so there is none. */
function identifierOf(system: string, value: string) {
  return isSaid(value) ? [{ system, value }] : [];
}

function nameOf({ familyName, givenNames }: PersonSummary) {
  const given = givenNames.filter(isSaid);
  if (!isSaid(familyName) && given.length === 0) return [];
  return [{ use: "official", ...(isSaid(familyName) && { family: familyName }), given }];
}

function shownPeriod(period: DayPeriod | undefined) {
  const { start = "", end = "" } = period ?? {};
  if (start === "" && end === "") return { startElement: unknownValue() };
  return { ...(start !== "" && { start }), ...(end !== "" && { end }) };
}
