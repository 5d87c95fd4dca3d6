import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { noteLook } from "../call/current-call.ts";
import type { ContentRules, DependentIndex, DependentKind, PatientDirectory } from "../dependents/index.ts";
import { MpiError } from "../errors/index.ts";
import { patientNumber } from "../resources/index.ts";
import { codeIs } from "./code-parameter.ts";
import { acceptMaritalStatus, patientsInFocus } from "./rules/index.ts";

export type ObservationSettings = Omit<DependentIndex<Observation>, "kind">;

/** Observations, of which marital status alone is stored, for the use cases of dependents. */
export function observationIndex(settings: ObservationSettings): DependentIndex<Observation> {
  return { ...settings, kind: observationKind(settings.patients) };
}

function observationKind(patients: PatientDirectory): DependentKind<Observation> {
  return {
    type: "Observation",
    schema: ObservationSchema,
    patientElement: "subject",
    patientOf: ({ subject }) => subject,
    withPatient: (given, subject) => ({ ...given, subject }),
    notFound: (id) => new MpiError("OBSERVATION_NOT_FOUND", { id }),
    deleted: (id) => new MpiError("OBSERVATION_DELETED", { id }),
    rulesFor: async (given) => maritalStatusRules(given, await identifiersInFocus(patients, given)),
    patientParameters: ["patient", "subject"],
    searchParameters: { code: { manyValues: true, parse: codeIs } },
  };
}

/** Read ahead of the lock of the subject: identifiers are never taken away, so what was there is still the person's. */
async function identifiersInFocus(
  patients: PatientDirectory,
  given: Observation,
): Promise<ReadonlyMap<string, readonly Identifier[]>> {
  const ids = new Set(patientsInFocus(given).flatMap((id) => patientNumber(id) ?? []));
  const known = await patients.identifiersOfPersons([...ids]);
  // Whether it is the relation's identifier tells of them.
  for (const id of known.keys()) noteLook(id);
  return new Map([...known].map(([id, identifiers]) => [String(id), identifiers]));
}

function maritalStatusRules(
  given: Observation,
  patients: ReadonlyMap<string, readonly Identifier[]>,
): ContentRules<Observation> {
  return (around, current) => {
    const relatedPersons = around ? [...around.relatedPersons, ...around.groupRelatedPersons] : [];
    const { observation, faults } = acceptMaritalStatus(given, { relatedPersons, patients, current });
    return { resource: observation, faults: around ? faults : faults.filter(isNotOfRelations) };
  };
}

/** Without a patient nothing can be said of the patient's relations. */
function isNotOfRelations({ meaning }: { readonly meaning: string }): boolean {
  return meaning !== "MARITAL_STATUS_WITHOUT_RELATIONSHIP";
}
