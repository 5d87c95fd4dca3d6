import { checkDigit, personalCodeBirthDate } from "../../identifiers/index.ts";
import type { SandboxPerson } from "../people-file.ts";
import { registerError } from "./register-error.ts";
import type { SandboxRegisters } from "./sandbox-registers.ts";

type Json = Readonly<Record<string, unknown>>;

/** The services of the population register, by name. */
export function populationServices(registers: SandboxRegisters) {
  return {
    person: (body: Json) => ({ person: shownPerson(registers, personOf(registers, body)) }),
    "legal-capacity": (body: Json) => ({
      decisions: (personOf(registers, body).capacity ?? []).map(({ code, ...span }) => ({
        code,
        period: span,
      })),
    }),
    guardianships: (body: Json) => guardianships(registers, personOf(registers, body)),
    relations: (body: Json) => ({
      relations: (personOf(registers, body).relations ?? []).map(({ type, personalCode }) => ({
        type,
        person: summaryOf(registers, personalCode),
      })),
    }),
    custodies: (body: Json) => custodies(registers, personOf(registers, body)),
    education: (body: Json) => personOf(registers, body).education ?? {},
    "contact-data": (body: Json) => {
      personOf(registers, body);
      registers.contactData.push(body);
      return {};
    },
  };
}

function personOf({ people }: SandboxRegisters, { personalCode }: Json): SandboxPerson {
  if (typeof personalCode !== "string" || personalCode === "") throw registerError("rr", "10022");
  const known = people.get(personalCode);
  if (known) return known;
  throw registerError("rr", faultOf(personalCode) ?? "10027");
}

/** What the register finds wrong with a personal code. */
function faultOf(code: string): string | undefined {
  if (code.length !== 11) return "10001";
  if (!/^\d+$/.test(code)) return "10002";
  if (!/^[1-8]/.test(code)) return "10003";
  if (personalCodeBirthDate(code) === undefined) return "10004";
  return checkDigit(code) === Number(code[10]) ? undefined : "10005";
}

function shownPerson({ addresses }: SandboxRegisters, person: SandboxPerson): Json {
  const { personalCode, successorCode, givenNames, familyName, sex, birthDate, deathDate } = person;
  const { phone, email } = person;
  const residence = addresses.find(({ adrId }) => adrId === person.residence);
  return {
    personalCode,
    successorCode,
    givenNames,
    familyName,
    sex,
    birthDate,
    deathDate,
    phone,
    email,
    residence,
  };
}

function summaryOf({ people }: SandboxRegisters, personalCode: string): Json {
  const { givenNames, familyName, birthDate, sex } = people.get(personalCode) ?? {};
  return { personalCode, givenNames, familyName, birthDate, sex };
}

function guardianships(registers: SandboxRegisters, person: SandboxPerson): Json {
  const guardians = (person.guardians ?? []).map(({ personalCode, organization, ...period }) => ({
    ...(organization ? { organization } : { person: summaryOf(registers, personalCode ?? "") }),
    period,
  }));
  const wards = [...registers.people.values()].flatMap((ward) =>
    (ward.guardians ?? [])
      .filter((guardian) => guardian.personalCode === person.personalCode)
      .map(({ start, end }) => ({ person: summaryOf(registers, ward.personalCode), period: { start, end } })),
  );
  return { guardians, wards };
}

function custodies(registers: SandboxRegisters, person: SandboxPerson): Json {
  const holders = (person.custody ?? []).map(({ type, holder, ...period }) => ({
    type,
    person: summaryOf(registers, holder),
    period,
  }));
  const dependants = [...registers.people.values()].flatMap((child) =>
    (child.custody ?? [])
      .filter(({ holder }) => holder === person.personalCode)
      .map(({ type, start, end }) => ({
        type,
        person: summaryOf(registers, child.personalCode),
        period: { start, end },
      })),
  );
  return { holders, dependants };
}
