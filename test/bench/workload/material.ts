import { create, toBinary } from "@bufbuild/protobuf";
import { ContactPointSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { decodeResource, encodeResource, parseJson, stringifyJson } from "../../../gateway/fhir/index.ts";
import { blind, keyFile } from "../../../src/identifier-index/index.ts";
import { parseIdentifierSystem } from "../../../src/identifiers/index.ts";
import { inventForeigner, inventPerson, Random } from "../../../src/invented-people/index.ts";
import { blocksOf } from "../../../src/matching/index.ts";
import { onServer } from "../../on-server.ts";
import { type BenchDatabase, SEED, YARDSTICK_IDS } from "../servers/database.ts";
import type { MeasuredServer } from "../servers/servers.ts";

/** Digits that stand where each request gets a number of its own. */
export const SERIAL = "900000000";

/** An identifier of somebody in the database, as each side looks for it. */
export interface KnownIdentifier {
  readonly system: string;
  readonly value: string;
  readonly country: string;
  readonly type: string;
  /** Hexadecimal. */
  readonly hmac: string;
}

/** A patient as a request carries it. */
export interface Carried {
  readonly patient: Patient;
  readonly json: Uint8Array;
  /** About what is stored of it. */
  readonly document: Uint8Array;
}

const IDS = 5000;
const IDENTIFIERS = 5000;
const NEW_PATIENTS = 200;
const CHANGED_PATIENTS = 1000;
const DESCRIBED_PATIENTS = 1000;

/** Ids of patients, at random: of everybody, or of those who have no Estonian identifier. */
export async function sampleIds(
  database: BenchDatabase,
  count = IDS,
  whose: "all" | "foreign" = "all",
): Promise<string[]> {
  const { rows } = await onServer(database.url, (client) =>
    client.query<{ id: string }>(
      `SELECT id FROM patient WHERE id <= $1 AND ($3 OR NOT EXISTS
         (SELECT FROM identifier_value WHERE patient_id = patient.id AND country = 'est' OFFSET 0))
       ORDER BY random() LIMIT $2`,
      [YARDSTICK_IDS, count, whose === "all"],
    ),
  );
  return rows.map(({ id }) => id);
}

/** Identifiers of patients, at random. */
export async function sampleIdentifiers(
  database: BenchDatabase,
  patients: number,
): Promise<KnownIdentifier[]> {
  const { primary } = await keyFile(database.keyFile, async () => false).load();
  return Array.from({ length: Math.min(IDENTIFIERS, patients) }, () => {
    const person = inventPerson(SEED, Math.floor(Math.random() * patients));
    const { system = "", value = "" } = new Random(SEED, patients).pick(person.identifier);
    const { country = "", type = "" } = parseIdentifierSystem(system) ?? {};
    return { system, value, country, type, hmac: Buffer.from(blind(primary, value)).toString("hex") };
  });
}

/** Patients to be created: foreigners, as those are who clients create. Their numbers hold SERIAL. */
export function newPatients(): Carried[] {
  return Array.from({ length: NEW_PATIENTS }, (_, index) =>
    carried(inventForeigner(new Random(SEED, index), Number(SERIAL))),
  );
}

/**
 * Foreign patients as they are read, each with another e-mail address that holds SERIAL. Those of Estonians would be told to
 * the population register besides, in the background, which the yardstick has nothing like.
 */
export async function changedPatients(
  database: BenchDatabase,
  { port, caller }: Pick<MeasuredServer, "port" | "caller">,
): Promise<Carried[]> {
  const changed: Carried[] = [];
  for (const id of await sampleIds(database, CHANGED_PATIENTS, "foreign")) {
    const answer = await fetch(`http://127.0.0.1:${port}/fhir/Patient/${id}`, { headers: caller });
    const patient = decoded(await answer.text());
    const email = { system: "email", value: `p${SERIAL}@post.example`, use: "home" };
    patient.telecom = [
      ...patient.telecom.filter(({ system }) => system !== "email"),
      create(ContactPointSchema, email),
    ];
    changed.push(carried(patient));
  }
  return changed;
}

/** Patients of the database, at random, by what a desk hears of them: name, birth date, sex, telephone, e-mail. */
export function describedPatients(patients: number): Carried[] {
  return Array.from({ length: Math.min(DESCRIBED_PATIENTS, patients) }, () =>
    inventPerson(SEED, Math.floor(Math.random() * patients)),
  )
    .filter((patient) => blocksOf(patient).keys.length > 0)
    .map(({ name, birthDate, gender, telecom }) =>
      carried(
        create(PatientSchema, { name, telecom, ...(birthDate && { birthDate }), ...(gender && { gender }) }),
      ),
    );
}

function carried(patient: Patient): Carried {
  const json = Buffer.from(stringifyJson(encodeResource(PatientSchema, patient)), "utf8");
  return { patient, json, document: toBinary(PatientSchema, patient) };
}

function decoded(text: string): Patient {
  const { message } = decodeResource(PatientSchema, parseJson(text).value ?? null);
  if (!message) throw new Error("The service answered with something that is no Patient.");
  return message;
}
