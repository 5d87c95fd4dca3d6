import type { Identifier, Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import { identifierKey, type Report } from "../../content-rules/index.ts";
import { referredTo } from "../../references/index.ts";

/** Those among whom the other person of a marital status is looked for. */
export interface Relations {
  /** The related persons of the patient and of its linked group, with their ids: none that are deleted. */
  readonly relatedPersons: readonly RelatedPerson[];
  /** Identifiers of the patients that `focus` names and of their linked groups, by id: see `patientsInFocus`. */
  readonly patients?: ReadonlyMap<string, readonly Identifier[]>;
  /** The version that is being replaced: the persons whom it names were held to the relations of its time. */
  readonly current?: Observation | undefined;
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

/** Whoever is newly named as the other person must be an active relation of the patient (MPI-034). */
export function checkOtherPersons(
  observation: Observation,
  { relatedPersons, patients = new Map(), current }: Relations,
  report: Report,
): void {
  const active = relatedPersons.filter((relation) => relation.active === true);
  const ids = new Set(active.map((relation) => relation.id));
  const keys = new Set(active.flatMap((relation) => keysOf(relation.identifier)));
  const isNamedBefore = namedIn(current ? otherPersons(current, patients) : []);
  for (const person of otherPersons(observation, patients)) {
    const { path, id, identifiers } = person;
    const isRelation = id === undefined ? keysOf(identifiers).some((key) => keys.has(key)) : ids.has(id);
    if (!isRelation && !isNamedBefore(person)) report("MARITAL_STATUS_WITHOUT_RELATIONSHIP", {}, path);
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

/** Whether one of these persons is named alike; nobody is named by nothing. */
function namedIn(before: readonly OtherPerson[]): (person: OtherPerson) => boolean {
  const ids = new Set(before.flatMap(({ id }) => id ?? []));
  const identified = before.map(({ identifiers }) => new Set(keysOf(identifiers)));
  return ({ id, identifiers }) => {
    if (id !== undefined) return ids.has(id);
    const keys = keysOf(identifiers);
    return keys.length > 0 && identified.some((known) => keys.every((key) => known.has(key)));
  };
}

function keysOf(identifiers: readonly Identifier[]): string[] {
  return identifiers.map(identifierKey);
}
