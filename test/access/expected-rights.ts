/** Who may do what, written down from the specification (security.md), not from the matrix under test. */

export const roles = [
  "doctor",
  "midwife",
  "nurse",
  "clinical-psychologist",
  "speech-therapist",
  "physiotherapist",
  "student",
  "specialist",
  "receptionist",
  "patient",
  "legal-representative",
  "consent-representative",
  "patient-limited",
  "consent-representative-limited",
  "administrator",
  "steward",
] as const;

export type Role = (typeof roles)[number];

/** A table of the specification: its columns, and a line per interaction. */
const columns: readonly (readonly Role[])[] = [
  ["doctor", "midwife", "nurse"],
  ["clinical-psychologist", "speech-therapist", "physiotherapist"],
  ["student"],
  ["specialist"],
  ["receptionist"],
  ["patient", "legal-representative", "consent-representative"],
  ["patient-limited", "consent-representative-limited"],
  ["administrator", "steward"],
];

const table = `
search Patient                  | x x x x x . . .
$lookup                         | x x x x x . . .
$foreign                        | x x x x x . . .
$mrn                            | x x x x x . . .
$match                          | x x x x x . . .
search Patient by birthdate     | . . . . . . . .
$name                           | . . . . . . . .
$legal-relationship             | . . . . . . . .
read Patient                    | x x x x x x x .
read RelatedPerson              | x x x x x x x .
search RelatedPerson            | x x x x x x x .
history of one Patient          | x x . x x x x .
history of one RelatedPerson    | x x . x x x x .
history of one Observation      | x x . x x x x .
$legal-status                   | x x . x x x x .
$legal-guardian                 | x x . x x x x .
$power-of-attorney              | x x . x x x x .
$education                      | x x . x x x x .
$disability                     | x x . x x x x .
$incapacity-for-work            | x x . x x x x .
$occupation                     | x x . x x x x .
read Observation                | x x . x x x x .
search Observation              | x x . x x x x .
Patient/_history                | x x . x x . . .
RelatedPerson/_history          | x x . x x . . .
create Patient                  | x x . . x . . .
update Patient                  | x x . . x x . .
create RelatedPerson            | x x . . x x . .
update RelatedPerson            | x x . . x x . .
delete RelatedPerson            | x x . . x x . .
create Observation              | x x . . x x . .
update Observation              | x x . . x x . .
delete Observation              | x x . . x x . .
$link                           | x x . . x . . .
$unlink                         | x x . . x . . .
AuditEvent of a patient         | . . . . . x . .
jobs                            | . . . . . . . x
keys                            | . . . . . . . x
review of possible duplicates   | . . . . . . . x`;

const rows: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|"))
    .map(([name = "", marks = ""]) => [name.trim(), marks.trim().split(" ")]),
);

/** Interactions that a scope grants, and nothing else does. */
export const scopes: Readonly<Record<string, string>> = {
  "search Patient by birthdate": "birthdate-search",
  $name: "name",
  "$legal-relationship": "legal-relationship",
};

export const interactions: readonly string[] = [...rows.keys()];

/** Whether a role allows an interaction. */
export function isAllowed(interaction: string, role: Role): boolean {
  const column = columns.findIndex((names) => names.includes(role));
  return rows.get(interaction)?.[column] === "x";
}

/** Whose record a request is about, to the caller. */
export type Whose = "own" | "represented" | "other";

/** Whose records a role reaches; the one represented is a child in the caller's custody, and in the token. */
export function isReached(role: Role, whose: Whose): boolean {
  switch (role) {
    case "patient":
    case "patient-limited":
      return whose === "own";
    case "legal-representative":
    case "consent-representative":
    case "consent-representative-limited":
      return whose !== "other";
    default:
      return true;
  }
}
