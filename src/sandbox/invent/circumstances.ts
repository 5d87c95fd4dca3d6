import { type Draft, note } from "./person.ts";

const CUSTODY = ["H10", "H11", "H12", "H19", "H20", "H21", "H22", "H9"] as const;
const DEGREES = ["KESKMINE_PUUE", "RASKE_PUUE", "SYGAV_PUUE"] as const;
const WORK = ["Puudub", "Osaline", "Taielik"] as const;
const EDUCATION = [
  { code: "1", display: "Põhiharidus" },
  { code: "2", display: "Keskharidus" },
  { code: "3", display: "Kutseharidus" },
  { code: "4", display: "Bakalaureus" },
  { code: "5", display: "Magister" },
  { code: "6", display: "Doktor" },
] as const;
const EMPLOYERS = [
  { registryCode: "10000018", name: "Näidise Saeveski OÜ" },
  { registryCode: "10000024", name: "Näidise Kool" },
  { registryCode: "10000030", name: "Näidise Haigla SA" },
] as const;
const OCCUPATIONS = [
  { code: "22110101", display: "Üldarst" },
  { code: "23410103", display: "Klassiõpetaja" },
  { code: "75220101", display: "Tisler" },
  { code: "52230103", display: "Müüja" },
] as const;
const RATES = ["1", "0.5", "0.25"] as const;
const MUNICIPALITY = { registryCode: "75000010", name: "Näidise vald" };

/** Every kind of custody in turn; minors alone have it. */
export function giveCustody(child: Draft, index: number, parents: readonly Draft[]): void {
  const type = CUSTODY[index % CUSTODY.length] ?? "H10";
  // Shared custody is held by both parents, any other kind by one.
  const holders = type === "H11" || type === "H10" ? parents : parents.slice(0, 1);
  child.custody = holders.map(({ personalCode }) => ({ type, holder: personalCode, start: child.birthDate }));
  note(child, `custody ${type}`);
}

export function giveEducation(person: Draft, index: number): void {
  const education = EDUCATION[index % EDUCATION.length];
  if (education) person.education = education;
}

export function giveJobs(person: Draft, index: number): void {
  if (index % 5 === 4) return;
  person.jobs = Array.from({ length: 1 + (index % 2) }, (_, place) => ({
    employer: EMPLOYERS[(index + place) % EMPLOYERS.length] ?? EMPLOYERS[0],
    occupation: OCCUPATIONS[(index + place) % OCCUPATIONS.length] ?? OCCUPATIONS[0],
    rate: RATES[(index + place) % RATES.length] ?? "1",
  }));
}

export function giveDisability(person: Draft, index: number): void {
  const degree = DEGREES[index % DEGREES.length] ?? DEGREES[0];
  const hasEnded = index % 7 === 6;
  person.disability = [{ degree, start: "2023-05-01", end: hasEnded ? "2024-04-30" : "2039-04-30" }];
  note(person, `disability ${degree}${hasEnded ? ", ended" : ""}`);
}

export function giveWorkCapacity(person: Draft, index: number): void {
  const code = WORK[index % WORK.length] ?? WORK[0];
  person.workCapacity = [
    { code: "Osaline", start: "2018-01-01", end: "2021-12-31" },
    ...(index % 7 === 6 ? [] : [{ code, start: "2022-01-01", end: "2039-12-31" }]),
  ];
  note(person, index % 7 === 6 ? "capacity for work decided, ended" : `capacity for work ${code}`);
}

/** T0 to T3 in turn; all but T0 come with a guardian: a person, or the municipality where there is none. */
export function decideCapacity(person: Draft, index: number, guardian: Draft | undefined): void {
  const code = `T${index % 4}`;
  person.capacity = [{ code, start: "2020-03-01", ...(code === "T1" && { end: "2039-12-31" }) }];
  note(person, `capacity ${code}`);
  if (code === "T0") return;
  const party = guardian ? { personalCode: guardian.personalCode } : { organization: MUNICIPALITY };
  person.guardians = [{ ...party, start: "2020-03-01" }];
  note(person, guardian ? "ward of a person" : "ward of a municipality");
  if (guardian) note(guardian, "guardian");
}
