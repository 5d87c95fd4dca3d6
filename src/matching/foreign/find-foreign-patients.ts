import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { type Fault, MpiError } from "../../errors/index.ts";
import { showPatients, unreadablePatientNotes } from "../../patients/index.ts";
import { understood } from "../../search/index.ts";
import {
  countryKeys,
  foreignCountries,
  foreignKey,
  type NameOf,
  nameForms,
} from "../blocking/foreign-blocks.ts";
import { variantKeys } from "../blocking/index.ts";
import { birthDayKey, telecomKey } from "../blocking/match-blocks.ts";
import { telecomsOf } from "../comparison/person.ts";
import type { Matching } from "../matching.ts";
import { editDistance } from "../names/edit-distance.ts";
import { MOST_TYPOS } from "../names/variants.ts";
import type { SoughtKeys } from "../ports.ts";
import { type ForeignSearch, parseForeignSearch } from "./parameters.ts";

export interface FoundForeignPatients {
  readonly patients: Patient[];
  /** What the asker should know: who could not be shown (MPI-003). */
  readonly notes: Fault[];
}

/**
 * Foreign patients with a document of a country (spec http-api.md, Patient/$foreign), those with the fewest typing
 * errors in their names first. MPI-027 when there are more than a search may find, or more than fits into an answer.
 */
export async function findForeignPatients(
  matching: Matching,
  parameters: readonly SearchParameter[],
): Promise<FoundForeignPatients> {
  const search = understood(parseForeignSearch(parameters));
  const { maximum } = matching.patients.searchLimits;
  const ids = await matching.store.holders(await keysOf(matching, search), maximum + 1);
  if (ids.length > maximum) throw new MpiError("TOO_MANY_RESULTS");
  const { shown, unreadable, isCut } = await showPatients(matching.patients, ids, (patient) =>
    fitsBesidesNames(patient, search),
  );
  if (isCut) throw new MpiError("TOO_MANY_RESULTS");
  const patients = ids
    .flatMap((id) => shown.get(id) ?? [])
    .map((patient) => ({ patient, typos: typosOf(patient, search) }))
    .filter(({ typos }) => Number.isFinite(typos))
    .sort((one, other) => one.typos - other.typos)
    .map(({ patient }) => patient);
  return { patients, notes: unreadablePatientNotes(unreadable) };
}

/** For each condition the keys of which a patient must have one. */
async function keysOf(matching: Matching, search: ForeignSearch): Promise<SoughtKeys> {
  const { country, names, birthDate, gender, telecom } = search;
  const sought = [...new Set([...names.given, ...names.family])];
  const stored = await matching.store.forms([...new Set(sought.flatMap(variantKeys))]);
  const nameKeys = (["given", "family"] as const)
    .filter((part) => names[part].length > 0)
    .map((part) =>
      stored
        .filter((form) => names[part].some((name) => editDistance(name, form, MOST_TYPOS) <= MOST_TYPOS))
        .map((form) => foreignKey.name(country, part, form)),
    );
  const lists = [
    ...nameKeys,
    ...(telecom === undefined ? [] : [[telecomKey(telecom)]]),
    ...(birthDate === undefined ? [] : [[birthDayKey(birthDate)]]),
  ];
  if (gender !== undefined) return { lists, common: [foreignKey.gender(country, gender)] };
  // Names are those of patients of the country.
  return { lists, common: nameKeys.length > 0 ? undefined : countryKeys(country) };
}

/**
 * Keys may be of an earlier version of the patient: of one that was changed while keys were filled in, or by a process that
 * makes others. So they say who may fit, and the patient who does.
 */
function fitsBesidesNames(patient: Patient, { country, birthDate, gender, telecom }: ForeignSearch): boolean {
  return (
    foreignCountries(patient).includes(country) &&
    (birthDate === undefined || patient.birthDate === birthDate) &&
    (gender === undefined || patient.gender === gender) &&
    (telecom === undefined || telecomsOf(patient).has(telecom))
  );
}

/** Infinitely many when a name does not fit. */
function typosOf(patient: Patient, { names }: ForeignSearch): number {
  const forms = nameForms(patient);
  const typosIn = (part: NameOf) => {
    const typos = Math.min(
      ...names[part].flatMap((name) => forms[part].map((form) => editDistance(name, form, MOST_TYPOS))),
    );
    return typos > MOST_TYPOS ? Number.POSITIVE_INFINITY : typos;
  };
  return (["given", "family"] as const)
    .filter((part) => names[part].length > 0)
    .reduce((typos, part) => typos + typosIn(part), 0);
}
