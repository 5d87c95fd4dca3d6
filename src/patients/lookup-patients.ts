import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { atParameter, type Fault, fault, MpiError, refuseFor } from "../errors/index.ts";
import { type IdentifierToken, isPersonalCodeToken } from "../identifiers/index.ts";
import { failingAs } from "../registers/ports.ts";
import { parseFlag, readOperationIdentifier, unsuitable } from "../search/index.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { PatientCriteria } from "./ports.ts";
import { takeFromRegister } from "./register/take-from-register.ts";
import { showPatient } from "./show-patient.ts";
import { unreadablePatientNotes } from "./unreadable-patients.ts";

const IDENTIFIER_NAMES: ReadonlySet<string> = new Set(["identifier", "identifier.value"]);
const KNOWN_NAMES: ReadonlySet<string> = new Set([...IDENTIFIER_NAMES, "source", "nocache"]);

/** The identifier, and what the parameter that it was given with is called. */
interface GivenIdentifier {
  readonly token: IdentifierToken;
  readonly param: string;
}

/** What a look-up asks for. */
interface Lookup {
  readonly token: IdentifierToken;
  readonly fromRegister: boolean;
  readonly noCache: boolean;
}

/**
 * The patients of an identifier (spec http-api.md, Patient/$lookup): those in the index who hold it themselves, not the
 * groups that they are linked in; with the population register as source the one person, stored or refreshed (MPI-089
 * when it knows nobody), of an old personal code with the whole group of its successor.
 */
export async function lookupPatients(
  index: PatientIndex,
  parameters: readonly SearchParameter[],
): Promise<Patient[]> {
  const lookup = understand(index, parameters);
  if (lookup.fromRegister) return await fromPopulationRegister(index, lookup);
  const ids = await index.store.holders([lookup.token]);
  return ids.length === 0 ? [] : await allWho(index, { ids });
}

async function allWho(
  { store, searchLimits: { maximum } }: PatientIndex,
  criteria: PatientCriteria,
): Promise<Patient[]> {
  const page = { sort: [], page: 1, size: maximum, maximum, mayEndEarly: true } as const;
  const found = await store.search(criteria, page);
  // There is no next page: what is too large to be shown at once is too much.
  if (found === "too-many" || found.endsAfter !== undefined) throw new MpiError("TOO_MANY_RESULTS");
  // Whoever is asked for may be just the one that does not open: nobody is to take the others for all there are.
  refuseFor(unreadablePatientNotes(found.unreadable));
  return found.patients.map(showPatient);
}

async function fromPopulationRegister(index: PatientIndex, { token, noCache }: Lookup): Promise<Patient[]> {
  const taken = await failingAs(["RR_INTEGRATION_FAILED"], () =>
    takeFromRegister(index.intake, token.value, noCache),
  );
  if (taken.group?.role !== "secondary") return [showPatient(taken)];
  return await allWho(index, { identifiers: [[token]] });
}

function understand(index: PatientIndex, parameters: readonly SearchParameter[]): Lookup {
  const { faults, note } = notes();
  const identifier = readIdentifier(parameters, note);
  const source = singleValue(parameters, "source", note) ?? index.indexSystem;
  const fromRegister = ["MPI_ERROR_SYSTEM_RR", index.intake.registerSystem].includes(source);
  if (!fromRegister && !["MPI_ERROR_SYSTEM_MPI", index.indexSystem].includes(source)) {
    note(fault("SOURCE_UNKNOWN", {}, atParameter("source")));
  }
  if (fromRegister && identifier && !isPersonalCodeToken(identifier.token)) {
    note(fault("PERSONAL_CODE_NOT_FOUND", {}, atParameter(identifier.param)));
  }
  const flag = parseFlag(singleValue(parameters, "nocache", note) ?? "false");
  if (flag === undefined) note(unsuitable("nocache"));
  for (const { name } of parameters) if (!KNOWN_NAMES.has(name)) note(unsuitable(name));
  refuseFor(faults);
  if (!identifier) throw new Error("A look-up was refused without a fault.");
  return { token: identifier.token, fromRegister, noCache: flag === true };
}

function readIdentifier(
  parameters: readonly SearchParameter[],
  note: (found: Fault) => void,
): GivenIdentifier | undefined {
  const [identifier, ...others] = parameters.filter(({ name }) => IDENTIFIER_NAMES.has(name));
  const param = identifier?.name ?? "identifier";
  if (others.length > 0) note(fault("PARAMETER_REPEATED", { param }, atParameter(param)));
  if (!identifier || identifier.value === "") {
    note(fault("PARAMETER_REQUIRED", { param: "identifier" }, atParameter("identifier")));
    return undefined;
  }
  const token = readOperationIdentifier(param, identifier.value);
  if (!("meaning" in token)) return { token, param };
  note(token);
  return undefined;
}

function notes() {
  const faults: Fault[] = [];
  return { faults, note: (found: Fault) => void faults.push(found) };
}

function singleValue(
  parameters: readonly SearchParameter[],
  param: string,
  note: (found: Fault) => void,
): string | undefined {
  const given = parameters.filter(({ name }) => name === param);
  if (given.length > 1) note(fault("PARAMETER_REPEATED", { param }, atParameter(param)));
  return given[0]?.value;
}
