import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import type { RuleSetting } from "../content-rules/index.ts";
import type { ContentRules, DependentIndex, DependentKind } from "../dependents/index.ts";
import { MpiError } from "../errors/index.ts";
import { parseFlag } from "../search/index.ts";
import { acceptRelatedPerson } from "./rules/index.ts";

export interface RelatedPersonSettings extends Omit<DependentIndex<RelatedPerson>, "kind"> {
  /** The index's own URI, of which nobody may bring identifiers (MPI-056). */
  readonly indexSystem: string;
  /** How many valid contacts a patient may have (MPI-042). */
  readonly contactLimit: number;
}

/** Contact persons, for the use cases of dependents. */
export function relatedPersonIndex(settings: RelatedPersonSettings): DependentIndex<RelatedPerson> {
  const { indexSystem, contactLimit, ...index } = settings;
  const setting = () => ({ now: index.now(), indexSystem });
  return { ...index, kind: relatedPersonKind(setting, contactLimit) };
}

function relatedPersonKind(setting: () => RuleSetting, limit: number): DependentKind<RelatedPerson> {
  return {
    type: "RelatedPerson",
    schema: RelatedPersonSchema,
    patientElement: "patient",
    patientOf: ({ patient }) => patient,
    withPatient: (given, patient) => ({ ...given, patient }),
    notFound: (id) => new MpiError("RELATED_PERSON_NOT_FOUND", { id }),
    deleted: (id) => new MpiError("RELATED_PERSON_DELETED", { id }),
    rulesFor: async (given) => contactRules(given, setting, limit),
    patientParameters: ["patient"],
    searchParameters: { active: { parse: ([value = ""]) => activeIs(parseFlag(value)) } },
  };
}

function contactRules(
  given: RelatedPerson,
  setting: () => RuleSetting,
  limit: number,
): ContentRules<RelatedPerson> {
  return (around, current) => {
    const { groupIdentifiers = [], relatedPersons = [] } = around ?? {};
    const others = relatedPersons.filter(({ id }) => id !== current?.id);
    const circle = { groupIdentifiers, current, others, limit };
    const { relatedPerson, faults } = acceptRelatedPerson(given, circle, setting());
    return { resource: relatedPerson, faults };
  };
}

function activeIs(wanted: boolean | undefined): ((contact: RelatedPerson) => boolean) | undefined {
  return wanted === undefined ? undefined : ({ active }) => active === wanted;
}
