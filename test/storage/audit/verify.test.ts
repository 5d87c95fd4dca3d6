import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainHead } from "../../../src/audit/index.ts";
import { somebody } from "../patients/store.ts";
import { type AuditedStores, openAudited, problemsIn, readOf, recordInOwnLane } from "./trail.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");

let opened: AuditedStores;
let lane: bigint;
let patientId: bigint;

beforeAll(async () => {
  opened = await openAudited();
});

afterAll(async () => {
  await opened.close();
});

// A lane with five entries, and a patient with three: both of this test alone, whatever others have spoiled.
beforeEach(async () => {
  const patient = await opened.store.create(somebody(), NOW);
  patientId = BigInt(patient.id ?? "");
  for (const active of [false, true]) await opened.store.replace(patient, { ...patient, active }, NOW);
  lane = await recordInOwnLane(
    opened,
    ["a", "b", "c", "d", "e"].map((requestId) => [readOf(patientId, { requestId })]),
  );
});

/** What is wrong with the streams of this test. */
function problems(noted?: ReadonlyMap<bigint, ChainHead>): Promise<string[]> {
  return problemsIn(opened, [lane, patientId], noted);
}

describe("verification", () => {
  it("finds nothing where nothing was touched", async () => {
    expect(await problems()).toEqual([]);
  });

  it("finds a removed entry", async () => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n = 2`);
    expect(await problems()).toEqual([`${lane} 2 removed`]);
  });

  it("finds a removed entry whose place was closed up", async () => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n = 4;
      UPDATE audit_event SET n = 4 WHERE stream_id = ${lane} AND n = 5;
      UPDATE audit_stream SET n = 4 WHERE stream_id = ${lane}`);
    expect(await problems()).toEqual([`${lane} 4 out of order`]);
  });

  it.each([
    ["whose data", "patient_id = patient_id + 1000000"],
    ["the time", "recorded_at = recorded_at - interval '1 day'"],
    ["the content", "content = set_bit(content, 300, 1 - get_bit(content, 300))"],
    ["the content, with its digest", "content = '\\x00', digest = sha256('\\x00')"],
    ["the digest", "digest = sha256('\\x00')"],
  ])("finds a changed entry: %s", async (_what, change) => {
    await opened.tamper(`UPDATE audit_event SET ${change} WHERE stream_id = ${lane} AND n = 3`);
    expect(await problems()).toEqual([`${lane} 3 changed`]);
  });

  it("finds a changed hash, and with it that the next entry does not follow", async () => {
    await opened.tamper(`UPDATE audit_event SET hash = sha256('x') WHERE stream_id = ${lane} AND n = 3`);
    expect(await problems()).toEqual([`${lane} 3 out of order`, `${lane} 4 out of order`]);
  });

  it("finds entries that have changed places", async () => {
    await opened.tamper(`UPDATE audit_event SET n = 100 WHERE stream_id = ${lane} AND n = 2;
      UPDATE audit_event SET n = 2 WHERE stream_id = ${lane} AND n = 3;
      UPDATE audit_event SET n = 3 WHERE stream_id = ${lane} AND n = 100`);
    const found = await problems();
    expect(found.slice(0, 2)).toEqual([`${lane} 2 out of order`, `${lane} 3 out of order`]);
  });

  it("finds an entry that was moved to another stream", async () => {
    await opened.tamper(
      `UPDATE audit_event SET stream_id = ${patientId}, n = 4 WHERE stream_id = ${lane} AND n = 5`,
    );
    expect(await problems()).toEqual([
      `${lane} 5 cut off`,
      `${patientId} 4 changed`,
      `${patientId} 3 head changed`,
    ]);
  });

  it.each([1, 2, 5])("finds %i entries cut off at the end", async (count) => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n > ${5 - count}`);
    expect(await problems()).toEqual([`${lane} ${6 - count} cut off`]);
  });

  it("finds entries cut off together with the head's number", async () => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n = 5;
      UPDATE audit_stream SET n = 4 WHERE stream_id = ${lane}`);
    expect(await problems()).toEqual([`${lane} 4 head changed`]);
  });

  it("finds a removed head", async () => {
    await opened.tamper(`DELETE FROM audit_stream WHERE stream_id = ${lane}`);
    expect(await problems()).toEqual([`${lane} 5 head changed`]);
  });

  it("finds an entry that was added behind the service", async () => {
    await opened.tamper(`INSERT INTO audit_event
      (stream_id, n, recorded_at, patient_id, key_id, content, content_n, digest, hash)
      SELECT stream_id, 6, recorded_at, patient_id, key_id, content, content_n, digest, sha256(hash || digest)
      FROM audit_event WHERE stream_id = ${lane} AND n = 5`);
    expect(await problems()).toEqual([`${lane} 5 head changed`]);
  });

  it("finds by heads noted before what was forged together with its head", async () => {
    const noted = await opened.heads();
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id IN (${lane}, ${patientId}) AND n >= 3;
      UPDATE audit_stream SET n = 2, hash = e.hash FROM audit_event e
      WHERE e.stream_id = audit_stream.stream_id AND e.n = 2 AND e.stream_id IN (${lane}, ${patientId})`);
    expect(await problems()).toEqual([]);
    expect(await problems(noted)).toEqual([`${lane} 3 cut off`, `${patientId} 3 cut off`]);
    const { patient } = (await opened.store.read(patientId)) ?? {};
    if (patient) await opened.store.replace(patient, { ...patient, language: "et" }, NOW);
    expect(await problems()).toEqual([]);
    expect(await problems(noted)).toEqual([`${lane} 3 cut off`, `${patientId} 3 rewritten`]);
  });

  it("finds by heads noted before a stream that was removed with its head", async () => {
    const noted = await opened.heads();
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane};
      DELETE FROM audit_stream WHERE stream_id = ${lane}`);
    expect(await problems()).toEqual([]);
    expect(await problems(noted)).toEqual([`${lane} 1 removed`]);
  });
});
