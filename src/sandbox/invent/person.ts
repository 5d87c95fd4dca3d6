import { checkDigit } from "../../identifiers/index.ts";
import type { Random } from "../../invented-people/index.ts";
import { ESTONIAN_NAMES } from "../../invented-people/names.ts";
import type { SandboxPerson } from "../people-file.ts";

export type Sex = "male" | "female";

/** A person that is being made: everything may still be added. */
export type Draft = { -readonly [Key in keyof SandboxPerson]: SandboxPerson[Key] };

/** A person born in a year; `serial` (1 to 999) is in the code, so each may be used once. */
export function inventSandboxPerson(
  random: Random,
  serial: number,
  sex: Sex,
  year: number,
  familyName?: string,
): Draft {
  const month = 1 + random.below(12);
  const day = 1 + random.below(28);
  const birthDate = `${year}-${two(month)}-${two(day)}`;
  const century = (Math.floor(year / 100) - 18) * 2 + (sex === "male" ? 1 : 2);
  const digits = `${century}${birthDate.slice(2).replaceAll("-", "")}${String(serial).padStart(3, "0")}`;
  return {
    personalCode: `${digits}${checkDigit(digits)}`,
    givenNames: random.percent(20)
      ? [random.pick(ESTONIAN_NAMES[sex]), random.pick(ESTONIAN_NAMES[sex])]
      : [random.pick(ESTONIAN_NAMES[sex])],
    familyName: familyName ?? random.pick(ESTONIAN_NAMES.family),
    sex,
    birthDate,
  };
}

/** Notes, on both, what each is to the other. */
export function relate(one: Draft, whatOtherIsToOne: string, other: Draft, whatOneIsToOther: string): void {
  one.relations = [...(one.relations ?? []), { type: whatOtherIsToOne, personalCode: other.personalCode }];
  other.relations = [...(other.relations ?? []), { type: whatOneIsToOther, personalCode: one.personalCode }];
}

export function note(person: Draft, text: string): void {
  const notes = person.note?.split("; ") ?? [];
  if (!notes.includes(text)) person.note = [...notes, text].join("; ");
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
