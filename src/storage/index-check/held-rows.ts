import type { DescMessage } from "@bufbuild/protobuf";
import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { publicNumber } from "../../dependents/dependent-id.ts";
import { visitIdentifiers } from "../../identifier-index/index.ts";
import { readMessage } from "../../messages/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { type AuthorRow, selectAuthors } from "../index-keys/move-authors.ts";
import type { ValueRow } from "../sealing/sealed-document.ts";

/** What patients have stored, as far as identifiers go. */
export interface HeldRows {
  readonly values: readonly ValueRow[];
  /** The places of documents that need a sealed row. */
  readonly places: readonly Place[];
  /** Who made the versions of patients, and of what lies with them. */
  readonly authors: readonly AuthorRow[];
}

interface Place {
  readonly patientId: bigint;
  readonly owner: bigint;
  readonly n: number;
  /** The system of an identifier of the patient itself, which the blind index has; undefined for all others. */
  readonly indexed: string | undefined;
}

interface DocumentRow {
  readonly patientId: bigint;
  readonly n: number;
  readonly document: Uint8Array;
}

/** Reads what patients hold, the current versions of their dependents included. */
export async function selectHeldRows(
  database: Database | Transaction,
  ids: readonly bigint[],
): Promise<HeldRows> {
  const values = await database.$queryRaw<ValueRow[]>`
    SELECT patient_id AS "patientId", n, owner, country, type, key_id AS "keyId", value_hmac AS "valueHmac", ciphertext
    FROM identifier_value WHERE patient_id = ANY(${ids})`;
  const patients = await database.$queryRaw<DocumentRow[]>`
    SELECT id AS "patientId", 0 AS n, document FROM patient WHERE id = ANY(${ids})`;
  const contacts = await database.$queryRaw<DocumentRow[]>`
    SELECT patient_id AS "patientId", n, document FROM related_person
    WHERE patient_id = ANY(${ids}) AND document IS NOT NULL`;
  const observations = await database.$queryRaw<DocumentRow[]>`
    SELECT patient_id AS "patientId", n, document FROM observation
    WHERE patient_id = ANY(${ids}) AND document IS NOT NULL`;
  return {
    values,
    authors: await selectAuthors(database, ids),
    places: [
      ...patients.flatMap(patientPlaces),
      ...contacts.flatMap((row) => dependentPlaces(RelatedPersonSchema, row)),
      ...observations.flatMap((row) => dependentPlaces(ObservationSchema, row)),
    ],
  };
}

function patientPlaces({ patientId, document }: DocumentRow): Place[] {
  const patient = readMessage(PatientSchema, document);
  const own = new Set<Identifier>(patient.identifier);
  const places: Place[] = [];
  visitIdentifiers(PatientSchema, patient, (identifier) => {
    if (identifier.value === undefined) return;
    const indexed = own.has(identifier) ? identifier.system : undefined;
    places.push({ patientId, owner: patientId, n: Number(identifier.value), indexed });
  });
  return places;
}

function dependentPlaces(schema: DescMessage, { patientId, n, document }: DocumentRow): Place[] {
  const owner = publicNumber({ patientId, n });
  const places: Place[] = [];
  visitIdentifiers(schema, readMessage(schema, document), ({ value }) => {
    if (value !== undefined) places.push({ patientId, owner, n: Number(value), indexed: undefined });
  });
  return places;
}
