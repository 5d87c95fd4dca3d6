import { Random } from "../../invented-people/index.ts";
import type { PeopleFile } from "../people-file.ts";
import { inventAddresses, inventSpecialAddresses } from "./addresses.ts";
import {
  decideCapacity,
  giveCustody,
  giveDisability,
  giveEducation,
  giveJobs,
  giveWorkCapacity,
} from "./circumstances.ts";
import { type Draft, inventSandboxPerson, note, relate } from "./person.ts";

const FAMILIES = 88;
const SEED = 4;
/** Born after it: minors for as long as the file is of use. */
const MINORS_FROM = 2010;

/** The people file of the sandbox: always the same. */
export function inventPeopleFile(): PeopleFile {
  const addresses = [...inventAddresses(), ...inventSpecialAddresses()];
  const people = Array.from({ length: FAMILIES }, (_, index) => family(index)).flat();
  for (const [index, person] of people.entries()) {
    const address = addresses[index % (addresses.length - 11)];
    if (person.residence === undefined && address) person.residence = address.adrId;
  }
  return { people: [...people, personOfUnknownCapacity(), ...personOfSeveralCodes()], addresses };
}

function serialOf(family: number, place: number): number {
  return 1 + family * 8 + place;
}

/** Two parents, up to three children, and in every second family a grandmother who may have died. */
function family(index: number): Draft[] {
  const random = new Random(SEED, index);
  const year = 1965 + ((index * 5) % 28);
  const father = inventSandboxPerson(random, serialOf(index, 0), "male", year);
  const mother = inventSandboxPerson(random, serialOf(index, 1), "female", year + 1, father.familyName);
  relate(father, "SPS", mother, "SPS");
  for (const [place, parent] of [father, mother].entries()) giveAdultLife(parent, index * 2 + place, random);
  const children = Array.from({ length: index % 4 }, (_, place) =>
    child(index, place, random, [mother, father]),
  );
  return [father, mother, ...children, ...(index % 2 === 0 ? [grandmother(index, random, mother)] : [])];
}

function giveAdultLife(person: Draft, index: number, random: Random): void {
  person.phone = `+3725${random.digits(6)}`;
  if (index % 3 !== 0) person.email = `rr${index}@post.example`;
  giveEducation(person, index);
  giveJobs(person, index);
  if (index % 6 === 1) giveDisability(person, Math.floor(index / 6));
  if (index % 5 === 2) giveWorkCapacity(person, Math.floor(index / 5));
}

function child(family: number, place: number, random: Random, parents: readonly [Draft, Draft]): Draft {
  const [mother, father] = parents;
  const year = Number(mother.birthDate.slice(0, 4)) + 24 + place * 4;
  const person = inventSandboxPerson(
    random,
    serialOf(family, 3 + place),
    (family + place) % 2 === 0 ? "female" : "male",
    year,
    father.familyName,
  );
  relate(person, "MTH", mother, "CHILD");
  relate(person, "FTH", father, "CHILD");
  if (year >= MINORS_FROM) {
    giveCustody(person, family + place, [mother, father]);
    note(person, "minor");
    if (family % 9 === 3) giveDisability(person, family);
  } else {
    giveEducation(person, family);
    decideCapacity(person, family + place, (family + place) % 8 < 5 ? mother : undefined);
  }
  return person;
}

function grandmother(family: number, random: Random, mother: Draft): Draft {
  const person = inventSandboxPerson(random, serialOf(family, 2), "female", 1936 + (family % 10));
  relate(person, "CHILD", mother, "MTH");
  giveEducation(person, family);
  if (family % 4 === 0) {
    person.deathDate = `20${15 + (family % 9)}-0${1 + (family % 9)}-15`;
    note(person, "deceased");
  }
  if (family % 8 === 0) {
    decideCapacity(person, 1 + (family % 3), mother);
    giveDisability(person, family);
    giveWorkCapacity(person, family);
  }
  return person;
}

/** The register knows a capacity that the index does not (MPI-092). */
function personOfUnknownCapacity(): Draft {
  const person = inventSandboxPerson(
    new Random(SEED, FAMILIES),
    serialOf(FAMILIES, 0),
    "male",
    1971,
    "Näidis",
  );
  person.capacity = [{ code: "T9", start: "2021-01-01" }];
  note(person, "capacity with a code that nobody knows (MPI-092)");
  return person;
}

/** The day of birth was corrected twice, and each time the personal code with it. */
function personOfSeveralCodes(): Draft[] {
  const name = { givenNames: ["Endla"], familyName: "Näidis" };
  const codes = Array.from({ length: 3 }, (_, place) => {
    const random = new Random(SEED, FAMILIES + 1 + place);
    return { ...inventSandboxPerson(random, serialOf(FAMILIES, 1 + place), "female", 1958 + place), ...name };
  });
  for (const [place, person] of codes.entries()) {
    const successor = codes[place + 1];
    if (successor) person.successorCode = successor.personalCode;
    note(person, successor ? "former personal code" : "personal code after a change");
  }
  return codes;
}
