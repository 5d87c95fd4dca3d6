import { create } from "@bufbuild/protobuf";
import type { RegisteredPerson } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { type HumanName, HumanNameSchema, PeriodSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { isAnyPresent, isPresent, unknownValue } from "../../content-rules/index.ts";

/**
 * The names of a patient with the official one of the register. The one that it takes the place of stays behind it as
 * an old name that ended today, each former name once; one that holds again is no former one. Nicknames and others stay.
 */
export function namesOf(current: readonly HumanName[], person: RegisteredPerson, today: string): HumanName[] {
  const name = officialName(person);
  const before = current.find(({ use }) => use === "official");
  const others = current.filter(({ use }) => use !== "official");
  if (before && isWhole(before) && isSameName(before, name)) return [before, ...others];
  const former = before && isWhole(before) && saysElse(before, name) ? [endedName(before, today)] : [];
  const named = [name, ...former];
  return [
    ...named,
    ...others.filter((other) => other.use !== "old" || !named.some((one) => isSameName(one, other))),
  ];
}

/** A part that the register does not know says so: the profile demands both. */
function officialName({ familyName, givenNames }: RegisteredPerson): HumanName {
  const given = givenNames.filter((name) => isPresent(name, undefined));
  return create(HumanNameSchema, {
    use: "official",
    ...(isPresent(familyName, undefined) ? { family: familyName } : { familyElement: unknownValue() }),
    ...(given.length > 0 ? { given } : { given: [""], givenElement: [unknownValue()] }),
  });
}

/** A name that was stored with an empty part is none of the register's: nobody could put it back. */
function isWhole({ family, familyElement, given, givenElement }: HumanName): boolean {
  return isPresent(family, familyElement) && isAnyPresent(given, givenElement);
}

function isSameName(one: HumanName, other: HumanName): boolean {
  return one.family === other.family && givenOf(one) === givenOf(other);
}

/**
 * Whether a name has a part that is not in the other: one that was less known before is no former name, nor is one that was
 * stored with blanks of the register round it.
 */
function saysElse(before: HumanName, name: HumanName): boolean {
  const family = before.family?.trim() ?? "";
  const given = givenOf({ ...before, given: before.given.map((one) => one.trim()) });
  return (family !== "" && family !== name.family) || (given !== "" && given !== givenOf(name));
}

function givenOf({ given }: HumanName): string {
  return given.join(" ");
}

function endedName(name: HumanName, day: string): HumanName {
  return { ...name, use: "old", period: { ...(name.period ?? create(PeriodSchema)), end: day } };
}
