import type {
  Custody,
  Guardianship,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { personalCodeBirthDate } from "../../identifiers/index.ts";
import type { PopulationRegister } from "../../registers/ports.ts";
import { failingAs, isAbsentPerson } from "../../registers/ports.ts";
import { isInForce, isMinor, today } from "../../time/days.ts";

/** Custody of the person: full, partial, limited. Custody of property alone, and what is left without it, is not. */
const CUSTODY_OF_PERSON: ReadonlySet<string> = new Set(["H10", "H11", "H12"]);

/**
 * Whether somebody is the legal representative of a person today, both by personal code: holds custody of a minor, or is
 * the guardian. A register that fails is MPI-029 with its chain.
 */
export type IsLegalRepresentative = (representative: string, personalCode: string) => Promise<boolean>;

/** Legal representatives by the population register, by kept answers where there are any. */
export function legalRepresentation(population: PopulationRegister, now: () => Date): IsLegalRepresentative {
  return (representative, personalCode) =>
    failingAs(["RR_INTEGRATION_FAILED"], async () => {
      const day = today(now());
      try {
        const carers = await carersOf(population, personalCode, day);
        return carers.some((one) => isInForce(one.period, day) && partyOf(one) === representative);
      } catch (error) {
        // A person whom the register does not know has no guardian in it.
        if (isAbsentPerson(error)) return false;
        throw error;
      }
    });
}

/** Custody ends with full age, whatever its period says. */
async function carersOf(
  population: PopulationRegister,
  personalCode: string,
  day: string,
): Promise<(Custody | Guardianship)[]> {
  const query = { personalCode, noCache: false };
  const isChild = isMinor(personalCodeBirthDate(personalCode), day);
  const [custodies, { guardians }] = await Promise.all([
    isChild ? population.listCustodies(query) : undefined,
    population.listGuardianships(query),
  ]);
  return [...(custodies?.holders ?? []).filter(isOfPerson), ...guardians];
}

function isOfPerson({ type }: Custody): boolean {
  return CUSTODY_OF_PERSON.has(type);
}

function partyOf(one: Custody | Guardianship): string | undefined {
  if ("party" in one) return one.party.case === "person" ? one.party.value.personalCode : undefined;
  return one.person?.personalCode;
}
