import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { inventForeigner, type Random } from "../../src/invented-people/index.ts";

/** Given names of two people of one sex that are nearly one. */
const ALIKE: Readonly<Record<"male" | "female", readonly (readonly [string, string])[]>> = {
  male: [
    ["Karl", "Karel"],
    ["Marko", "Mirko"],
    ["Jan Erik", "Jan Peeter"],
  ],
  female: [
    ["Maria", "Marina"],
    ["Anna-Liisa", "Anna-Maria"],
    ["Mari", "Marin"],
  ],
};

/** The birthday of those whose real one nobody knows. */
const FIRST_OF_JANUARY = "01-01";

/** Of a hundred births so many are of twins. */
const TWINS = 3;

interface Born {
  readonly given: readonly string[];
  readonly birthDate: string;
  readonly identifier: Patient["identifier"];
}

/**
 * A parent of the same name, and two others of one home whose given names are nearly one: twins, or with some years
 * between them. They have documents of their own, or none, and the telephone and address of the family.
 */
export function relativesOf(member: Patient, random: Random, person: number): Patient[] {
  const [given, alike] = random.pick(ALIKE[member.gender === "male" ? "male" : "female"]);
  const year = Number(member.birthDate?.slice(0, 4) ?? 1990);
  const birthDate = dayIn(year - 3 - random.below(8), random);
  const parentYear = year - 20 - random.below(20);
  return [
    relative(member, {
      given: member.name[0]?.given ?? [],
      birthDate: random.percent(20) ? `${parentYear}-${FIRST_OF_JANUARY}` : dayIn(parentYear, random),
      identifier: documents(random, person, 3),
    }),
    relative(member, { given: [given], birthDate, identifier: documents(random, person, 4) }),
    relative(member, {
      given: [alike],
      birthDate: random.percent(TWINS) ? birthDate : dayIn(Number(birthDate.slice(0, 4)) + 2, random),
      identifier: documents(random, person, 5),
    }),
  ];
}

function relative({ name, ...rest }: Patient, { given, birthDate, identifier }: Born): Patient {
  return { ...rest, birthDate, identifier, name: name.map((one) => ({ ...one, given: [...given] })) };
}

function documents(random: Random, person: number, series: number): Patient["identifier"] {
  return random.percent(70) ? inventForeigner(random, series * 1_000_000 + person).identifier : [];
}

function dayIn(year: number, random: Random): string {
  const [month, day] = [1 + random.below(12), 1 + random.below(28)];
  return [year, ...[month, day].map((part) => String(part).padStart(2, "0"))].join("-");
}
