import type { RegisteredPerson } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { fault, GrpcStatus } from "../../errors/index.ts";
import {
  isAbsentPerson,
  type PersonAsked,
  type PopulationRegister,
  RegisterFailure,
} from "../../registers/ports.ts";
import type { StoredPatient } from "../ports.ts";

/** More codes than anybody has had: a register that names more of them is wrong. */
const MOST_CODES = 8;

/**
 * The person of a personal code, then those of the codes that took its place, one after the other. A register that goes
 * round in a circle, or names a successor whom it does not know, has given no answer that can be understood.
 */
export async function readSuccession(
  population: Pick<PopulationRegister, "readPerson">,
  asked: PersonAsked,
): Promise<[RegisteredPerson, ...RegisteredPerson[]]> {
  const first = await population.readPerson(asked);
  const codes = new Set([first.personalCode]);
  const successors: RegisteredPerson[] = [];
  for (let code = first.successorCode; code !== ""; code = successors.at(-1)?.successorCode ?? "") {
    if (codes.has(code) || codes.size === MOST_CODES) throw garbage(new Error("The successors have no end."));
    codes.add(code);
    successors.push(await readSuccessor(population, { ...asked, personalCode: code }));
  }
  return [first, ...successors];
}

async function readSuccessor(
  population: Pick<PopulationRegister, "readPerson">,
  asked: PersonAsked,
): Promise<RegisteredPerson> {
  try {
    return await population.readPerson(asked);
  } catch (cause) {
    // As it is, it would say that the person who was asked for is absent.
    throw isAbsentPerson(cause) ? garbage(cause) : cause;
  }
}

function garbage(cause: unknown): RegisterFailure {
  const status = GrpcStatus.UNKNOWN;
  return new RegisterFailure([fault("XROAD_RR_SYSTEM_ERROR", {}, { status })], status, cause);
}

/** Each record of an old code that is not in one group with that of its successor yet, with that. */
export function unlinkedPairs(records: readonly StoredPatient[]): [old: bigint, successor: bigint][] {
  return records.flatMap((old, index): [bigint, bigint][] => {
    const successor = records[index + 1];
    return successor && !isBelow(old, successor) ? [[numberOf(old), numberOf(successor)]] : [];
  });
}

function isBelow({ group }: StoredPatient, successor: StoredPatient): boolean {
  return group?.role === "secondary" && group.primaryId === primaryOf(successor);
}

function primaryOf(record: StoredPatient): bigint {
  return record.group?.role === "secondary" ? record.group.primaryId : numberOf(record);
}

function numberOf({ patient }: StoredPatient): bigint {
  return BigInt(patient.id ?? "");
}
