import type { HumanName } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { inventForeigner, inventPerson, Random } from "../../src/invented-people/index.ts";
import { relativesOf } from "./planted-families.ts";

/** Records with what is known of them: whose they are. */
export interface Planted {
  readonly records: readonly Patient[];
  /** Index of the person that the record in the same place is of. */
  readonly persons: readonly number[];
}

type Change = (patient: Patient, random: Random) => Patient;

/** What goes wrong when somebody is registered a second time, and in how many of a hundred cases. */
const MISHAPS: readonly (readonly [percent: number, change: Change])[] = [
  [
    25,
    (patient, random) =>
      renamed(patient, ({ family = "", ...rest }) => ({ ...rest, family: mistyped(family, random) })),
  ],
  [
    25,
    (patient, random) =>
      renamed(patient, (name) => ({ ...name, given: name.given.map((given) => mistyped(given, random)) })),
  ],
  [20, (patient) => renamed(patient, withoutAccents)],
  [30, (patient) => renamed(patient, (name) => ({ ...name, given: name.given.slice(0, 1) }))],
  [
    5,
    (patient) =>
      renamed(patient, ({ family = "", given, ...rest }) => ({
        ...rest,
        family: given.join(" "),
        given: [family],
      })),
  ],
  [
    8,
    (patient, random) =>
      renamed(patient, (name) => ({ ...name, family: random.pick(["Nowak", "Kask", "Berg", "Ivanova"]) })),
  ],
  [4, (patient) => ({ ...patient, birthDate: swappedDay(patient.birthDate ?? "") })],
  [
    5,
    (patient, random) => ({
      ...patient,
      birthDate: `${(patient.birthDate ?? "").slice(0, -1)}${random.below(10)}`,
    }),
  ],
  [4, (patient) => ({ ...patient, birthDate: (patient.birthDate ?? "").slice(0, 4) })],
  [3, (patient) => ({ ...patient, gender: "unknown" })],
  [50, (patient) => ({ ...patient, telecom: [] })],
  [
    15,
    (patient, random) => ({
      ...patient,
      telecom: patient.telecom.slice(0, 1).map((one) => ({ ...one, value: `+3725${random.digits(7)}` })),
    }),
  ],
  [60, (patient) => ({ ...patient, address: [] })],
];

/** `people` people, some of them twice or with relatives and namesakes, always the same. */
export function plantDuplicates(people: number): Planted {
  const records: Patient[] = [];
  const persons: number[] = [];
  const add = (patient: Patient, person: number) => {
    records.push(patient);
    persons.push(person);
  };
  let strangers = people;
  for (let person = 0; person < people; person++) {
    const random = new Random(77, person);
    const first = inventPerson(11, person);
    add(first, person);
    if (!first.name[0]?.family) continue;
    if (random.percent(20)) add(secondRecord(first, random, person), person);
    if (random.percent(3)) add(twinOf(first, random, person), strangers++);
    if (random.percent(5)) add(namesakeOf(first, random, person), strangers++);
    if (random.percent(10)) {
      for (const relative of relativesOf(first, random, person)) add(relative, strangers++);
    }
  }
  return { records, persons };
}

/** With a document of another country, as somebody who comes to another hospital. */
function secondRecord(first: Patient, random: Random, person: number): Patient {
  const { identifier } = inventForeigner(random, 1_000_000 + person);
  return MISHAPS.reduce(
    (record, [percent, change]) => (random.percent(percent) ? change(record, random) : record),
    { ...first, identifier },
  );
}

/** Another given name; family, day of birth, home and telephone are the same. */
function twinOf(first: Patient, random: Random, person: number): Patient {
  const { identifier } = inventForeigner(random, 2_000_000 + person);
  const given = [random.pick(["Aksel", "Hilda", "Otto", "Selma", "Viljar"])];
  return { ...renamed(first, (name) => ({ ...name, given })), identifier };
}

/** The same name, and mostly not even the year of birth. */
function namesakeOf(first: Patient, random: Random, person: number): Patient {
  const { birthDate, identifier, telecom, address } = inventForeigner(random, 3_000_000 + person);
  return { ...first, identifier, telecom, address, birthDate: birthDate ?? "1950-01-01" };
}

function renamed(patient: Patient, change: (name: HumanName) => HumanName): Patient {
  return { ...patient, name: patient.name.map(change) };
}

function mistyped(text: string, random: Random): string {
  const at = random.below(text.length);
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
  const letter = random.pick([..."aeioukstln"]);
  switch (random.below(4)) {
    case 0:
      return before + letter + here + after;
    case 1:
      return before + after;
    case 2:
      return before + letter + after;
    default:
      return before + after.slice(0, 1) + here + after.slice(1);
  }
}

function withoutAccents(name: HumanName): HumanName {
  const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "");
  return { ...name, family: plain(name.family ?? ""), given: name.given.map(plain) };
}

function swappedDay(date: string): string {
  const [year, month, day = ""] = date.split("-");
  return day !== "" && Number(day) <= 12 ? `${year}-${day}-${month}` : date;
}
