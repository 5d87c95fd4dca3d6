import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { atParameter, type Fault, fault, refuseFor } from "../errors/index.ts";
import { unsuitable } from "../search/index.ts";
import { type NamedPatient, namePatient, patientParameters } from "./named-patient.ts";
import type { SocialHistory } from "./social-history.ts";

/** Reads the parameters of one operation beside those of all; notes what is wrong. */
export type ReadOwn<Own> = (given: GivenValues, patient: Pick<NamedPatient, "birthDate"> | undefined) => Own;

export interface GivenValues {
  values(name: string): string[];
  note(found: Fault): void;
}

/** An operation that may be done. */
export interface AskedOperation<Own> {
  readonly patient: NamedPatient;
  readonly noCache: boolean;
  readonly own: Own;
}

const COMMON: readonly string[] = [...patientParameters, "nocache"];

/**
 * What every social-history operation begins with (spec http-api.md, "Operations"): the patient and the parameters, with
 * all that is wrong with them at once.
 */
export async function understand<Own>(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
  ownNames: readonly string[],
  readOwn: ReadOwn<Own>,
): Promise<AskedOperation<Own>> {
  const faults: Fault[] = parameters
    .filter(({ name }) => !COMMON.includes(name) && !ownNames.includes(name))
    .map(({ name }) => unsuitable(name));
  const given: GivenValues = {
    values: (name) => parameters.filter((one) => one.name === name).map(({ value }) => value),
    note: (found) => void faults.push(found),
  };
  const named = await namePatient(history, parameters);
  const patient = "faults" in named ? undefined : named;
  if ("faults" in named) faults.push(...named.faults);
  const noCache = readFlag(given, "nocache");
  const own = readOwn(given, "faults" in named ? named.known : named);
  refuseFor(faults);
  if (!patient) throw new Error("An operation was refused without a fault.");
  return { patient, noCache, own };
}

/** A parameter that is true or false; false when it is missing. */
export function readFlag(given: GivenValues, name: string): boolean {
  const [value, ...others] = given.values(name);
  if (others.length > 0) given.note(fault("PARAMETER_REPEATED", { param: name }, atParameter(name)));
  if (value !== undefined && value !== "true" && value !== "false") given.note(unsuitable(name));
  return value === "true";
}

/**
 * The codes of a parameter that may be repeated, each with its system or without one. One of another system stays as it is,
 * which is no code.
 */
export function readCodes(given: GivenValues, name: string, system: string): string[] {
  const prefix = `${system}|`;
  return given
    .values(name)
    .flatMap((value) => value.split(","))
    .map((value) => (value.startsWith(prefix) ? value.slice(prefix.length) : value).trim());
}
