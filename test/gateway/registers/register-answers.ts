import people from "../../../src/sandbox/people.json" with { type: "json" };
import { codesIn, type HttpAnswer } from "../http-client.ts";

/** URI of the population register. */
export const RR = "https://rahvastikuregister.ee";
/** A good personal code that is nobody's in the sandbox. */
export const UNKNOWN_CODE = "60001019906";

interface Person {
  readonly note?: string;
  readonly personalCode: string;
  readonly familyName: string;
  readonly deathDate?: string;
}

/** Everybody in the sandbox. */
export const everybody: readonly Person[] = people.people;

export function observationsOf({ json }: HttpAnswer) {
  return (json.entry ?? [])
    .map((entry: { resource: { resourceType: string } }) => entry.resource)
    .filter((resource: { resourceType: string }) => resource.resourceType === "Observation");
}

export function warningsOf({ json }: HttpAnswer): string[] {
  const outcomes = (json.entry ?? [])
    .map((entry: { resource: { resourceType: string } }) => entry.resource)
    .filter((resource: { resourceType: string }) => resource.resourceType === "OperationOutcome");
  return outcomes.flatMap(codesIn);
}
