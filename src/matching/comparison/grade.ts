/** FHIR's match grades (http://hl7.org/fhir/ValueSet/match-grade). */
export type Grade = "certain" | "probable" | "possible" | "certainly-not";

/** From which score on a grade holds, the best first. */
const LEAST: readonly (readonly [Grade, number])[] = [
  ["certain", 0.9999],
  ["probable", 0.75],
  ["possible", 0.01],
];

export function gradeOf(score: number): Grade {
  return LEAST.find(([, least]) => score >= least)?.[0] ?? "certainly-not";
}
