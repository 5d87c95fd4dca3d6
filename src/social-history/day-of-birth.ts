import { personalCodeBirthDate } from "../identifiers/index.ts";
import { isFullDate } from "../time/fhir-date.ts";

/**
 * The day on which somebody was born, by whom age is reckoned: as it is known, else as the Estonian personal code says it.
 * Whoever is a child is none the less one when a record or the register leaves the date out.
 */
export function dayOfBirth(birthDate: string | undefined, personalCode: string): string | undefined {
  return birthDate !== undefined && isFullDate(birthDate) ? birthDate : personalCodeBirthDate(personalCode);
}
