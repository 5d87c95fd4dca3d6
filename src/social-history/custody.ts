import type {
  Custody,
  ListCustodiesResponse,
  PersonSummary,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { isInForce, isMinor } from "../time/days.ts";
import { dayOfBirth } from "./day-of-birth.ts";
import type { NamedPatient } from "./named-patient.ts";

/** Custody of a patient, and the custody that the patient has of others. */
export type Custodies = Pick<ListCustodiesResponse, "holders" | "dependants">;

/**
 * Custody that is in force on a day. It ends with full age, whatever its period says: the register leaves most periods
 * open.
 */
export function custodiesInForce(
  { holders, dependants }: Custodies,
  { birthDate }: Pick<NamedPatient, "birthDate">,
  day: string,
): Custodies {
  const isHeld = ({ period }: Custody) => isInForce(period, day);
  return {
    holders: isMinor(birthDate, day) ? holders.filter(isHeld) : [],
    dependants: dependants.filter((one) => isOfMinor(one.person, day) && isHeld(one)),
  };
}

function isOfMinor(person: PersonSummary | undefined, day: string): boolean {
  return person !== undefined && isMinor(dayOfBirth(person.birthDate, person.personalCode), day);
}
