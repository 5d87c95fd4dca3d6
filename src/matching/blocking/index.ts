import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { personInBlocks } from "../comparison/person.ts";
import { nameVariants } from "../names/variants.ts";
import { blockKey } from "./block-key.ts";
import { foreignBlocks, foreignCountries, nameForms } from "./foreign-blocks.ts";
import { recordBlocks } from "./match-blocks.ts";

/** What is written beside a patient, for it to be found. */
export interface PatientBlocks {
  readonly keys: readonly bigint[];
  /** The names that must be known with their variants: those of foreign patients. */
  readonly forms: readonly string[];
}

/** Raised when keys are made in another way: then all patients get theirs anew. */
export const BLOCK_SCHEME = 4;

/** Needs no identifier values, only their systems. */
export function blocksOf(patient: Patient): PatientBlocks {
  const countries = foreignCountries(patient);
  const forms = countries.length > 0 ? nameForms(patient) : { family: [], given: [] };
  const ofRecord = recordBlocks(personInBlocks(patient)).map(({ key }) => key);
  const keys = [...ofRecord, ...foreignBlocks(patient, countries, forms)];
  return { keys: [...new Set(keys)], forms: [...new Set([...forms.family, ...forms.given])] };
}

/** The keys under which a name is found by its variants. */
export function variantKeys(form: string): bigint[] {
  return [...nameVariants(form)].map((variant) => blockKey("variant", variant));
}
