import { randomBytes } from "node:crypto";
import type pg from "pg";
import { firstEntries } from "../../../src/storage/audit/first-entries.ts";
import type { SealedEntry } from "../../../src/storage/audit/sealed-entry.ts";
import { namedStatements, send } from "../../../src/storage/connection/named-statements.ts";
import {
  type Identified,
  identifierStatement,
  type NewPatient,
  newPatientStatements,
} from "../../../src/storage/patients/writing/new-patient-rows.ts";
import { AUTHOR_BYTES, ENTRY_BYTES, inTransaction, KEY_ID, type RowCounts } from "./statements.ts";

/**
 * Writes the rows of new patients by the statements with which the service loads them, of noise: nothing is decoded,
 * checked, looked for, hashed or sealed.
 */
export async function loadRows(
  pool: pg.Pool,
  ids: readonly bigint[],
  documents: Buffer<ArrayBuffer>,
  counts: RowCounts,
): Promise<void> {
  const now = new Date();
  const length = Math.floor(documents.length / ids.length);
  const patients = ids.map((id, place) =>
    patientOf(id, documents.subarray(place * length, (place + 1) * length), counts),
  );
  const entries = ids.map((id) => entryOf(id, now));
  await inTransaction(pool, async (client) => {
    await send(namedStatements(client, true), [
      identifierStatement(patients),
      ...newPatientStatements(patients, now),
      firstEntries(entries),
    ]);
  });
}

function patientOf(id: bigint, document: Buffer<ArrayBuffer>, counts: RowCounts): NewPatient & Identified {
  const noise = randomBytes(counts.identifiers * HMAC_BYTES + counts.blockKeys * KEY_BYTES);
  const keysAt = counts.identifiers * HMAC_BYTES;
  const identifiers = Array.from({ length: counts.identifiers }, (_, n) => ({
    valueHmac: noise.subarray(n * HMAC_BYTES, (n + 1) * HMAC_BYTES),
    ...{ country: "fin", type: "ni", keyId: KEY_ID, periodEnd: null },
  }));
  return {
    id,
    document,
    identifiers,
    values: identifiers.map((row, n) => ({
      ...row,
      ...{ patientId: id, n: n + 1, owner: id, ciphertext: NOISE.subarray(0, VALUE_BYTES) },
    })),
    blockKeys: Array.from({ length: counts.blockKeys }, (_, n) =>
      noise.readBigInt64BE(keysAt + n * KEY_BYTES),
    ),
    columns: {
      active: true,
      birthFrom: "1970-01-01",
      birthTo: "1970-01-01",
      deceased: false,
      deceasedAt: null,
    },
    author: { authorKeyId: KEY_ID, author: NOISE.subarray(0, AUTHOR_BYTES) },
  };
}

function entryOf(id: bigint, now: Date): SealedEntry {
  return {
    ...{ streamId: id, patientId: id, recordedAt: now, keyId: KEY_ID },
    content: NOISE.subarray(0, ENTRY_BYTES),
    digest: NOISE.subarray(0, HMAC_BYTES),
  };
}

const [HMAC_BYTES, KEY_BYTES, VALUE_BYTES] = [32, 8, 40];
const NOISE = randomBytes(ENTRY_BYTES);
