import type { Identifier, Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import { identifierKey, type Report } from "../../content-rules/index.ts";
import { referredTo } from "../../references/index.ts";

/** Those among whom the other person of a marital status is looked for. */
export interface Relations {
  /** The patient's related persons, with their ids: none that are deleted. */
  readonly relatedPersons: readonly RelatedPerson[];
  /** Identifiers of the patients that `focus` names, by id: see `patientsInFocus`. */
  readonly patients?: ReadonlyMap<string, readonly Identifier[]>;
}

interface OtherPerson {
  readonly path: string;
  /** Id of the RelatedPerson, when it is named by its address. */
  readonly id?: string;
  readonly identifiers: readonly Identifier[];
}

/** Ids of the patients that are named as the other person, whose identifiers the rules need to know. */
export function patientsInFocus({ focus }: Observation): string[] {
  return focus.map(referredTo).flatMap((target) => (target?.type === "Patient" ? [target.id] : []));
}

/** Whoever is named as the other person must be an active relation of the patient (MPI-034). */
export function checkOtherPersons(
  observation: Observation,
  { relatedPersons, patients = new Map() }: Relations,
  report: Report,
): void {
  const active = relatedPersons.filter((relation) => relation.active === true);
  const ids = new Set(active.map((relation) => relation.id));
  const keys = new Set(active.flatMap((relation) => relation.identifier.map(identifierKey)));
  for (const { path, id, identifiers } of otherPersons(observation, patients)) {
    const isRelation =
      id === undefined ? identifiers.some((own) => keys.has(identifierKey(own))) : ids.has(id);
    if (!isRelation) report("MARITAL_STATUS_WITHOUT_RELATIONSHIP", {}, path);
  }
}

function otherPersons(
  { focus, contained }: Observation,
  patients: ReadonlyMap<string, readonly Identifier[]>,
): OtherPerson[] {
  const inside = contained.flatMap(({ resource }, index) =>
    resource.case === "relatedPerson"
      ? [
          {
            path: `Observation.contained[${index}]`,
            localId: resource.value.id,
            identifiers: resource.value.identifier,
          },
        ]
      : [],
  );
  const addresses = new Set(inside.map(({ localId }) => `#${localId}`));
  const named = focus.flatMap((reference, index) => {
    const isInside = addresses.has(reference.reference ?? "");
    return isInside ? [] : [namedBy(reference, `Observation.focus[${index}]`, patients)];
  });
  return [...named, ...inside];
}

function namedBy(
  reference: Reference,
  path: string,
  patients: ReadonlyMap<string, readonly Identifier[]>,
): OtherPerson {
  const target = referredTo(reference);
  const own = reference.identifier ? [reference.identifier] : [];
  if (target?.type === "RelatedPerson") return { path, id: target.id, identifiers: own };
  const known = target?.type === "Patient" ? patients.get(target.id) : undefined;
  return { path, identifiers: [...own, ...(known ?? [])] };
}
