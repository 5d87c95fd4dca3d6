import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { somebody } from "../patients/store.ts";
import { type AuditedStores, openAudited, readOf } from "./trail.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");

let opened: AuditedStores;
let lane: bigint;

// A lane with five entries, and a patient with three.
beforeEach(async () => {
  opened = await openAudited();
  for (const requestId of ["a", "b", "c", "d", "e"])
    await opened.trail.record([readOf(7001n, { requestId })]);
  const { entries } = await opened.reader.find({ patients: [7001n], spans: [], size: 1 });
  lane = entries[0]?.streamId ?? 0n;
  const patient = await opened.store.create(somebody(), NOW);
  for (const active of [false, true]) await opened.store.replace(patient, { ...patient, active }, NOW);
});

afterEach(async () => {
  await opened.close();
});

describe("verification", () => {
  it("finds nothing where nothing was touched", async () => {
    expect(await opened.problems()).toEqual([]);
  });

  it("finds a removed entry", async () => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n = 2`);
    expect(await opened.problems()).toEqual([`${lane} 2 removed`]);
  });

  it("finds a removed entry whose place was closed up", async () => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n = 4;
      UPDATE audit_event SET n = 4 WHERE stream_id = ${lane} AND n = 5;
      UPDATE audit_stream SET n = 4 WHERE stream_id = ${lane}`);
    expect(await opened.problems()).toEqual([`${lane} 4 out of order`]);
  });

  it.each([
    ["whose data", "patient_id = 7002"],
    ["the time", "recorded_at = recorded_at - interval '1 day'"],
    ["the content", "content = set_bit(content, 300, 1 - get_bit(content, 300))"],
    ["the content, with its digest", "content = '\\x00', digest = sha256('\\x00')"],
    ["the digest", "digest = sha256('\\x00')"],
  ])("finds a changed entry: %s", async (_what, change) => {
    await opened.tamper(`UPDATE audit_event SET ${change} WHERE stream_id = ${lane} AND n = 3`);
    expect(await opened.problems()).toEqual([`${lane} 3 changed`]);
  });

  it("finds a changed hash, and with it that the next entry does not follow", async () => {
    await opened.tamper(`UPDATE audit_event SET hash = sha256('x') WHERE stream_id = ${lane} AND n = 3`);
    expect(await opened.problems()).toEqual([`${lane} 3 out of order`, `${lane} 4 out of order`]);
  });

  it("finds entries that have changed places", async () => {
    await opened.tamper(`UPDATE audit_event SET n = 100 WHERE stream_id = ${lane} AND n = 2;
      UPDATE audit_event SET n = 2 WHERE stream_id = ${lane} AND n = 3;
      UPDATE audit_event SET n = 3 WHERE stream_id = ${lane} AND n = 100`);
    const problems = await opened.problems();
    expect(problems.slice(0, 2)).toEqual([`${lane} 2 out of order`, `${lane} 3 out of order`]);
  });

  it("finds an entry that was moved to another stream", async () => {
    const patient = await opened.store.create(somebody(), NOW);
    await opened.tamper(
      `UPDATE audit_event SET stream_id = ${patient.id}, n = 2 WHERE stream_id = ${lane} AND n = 5`,
    );
    expect(await opened.problems()).toEqual([
      `${lane} 5 cut off`,
      `${patient.id} 2 changed`,
      `${patient.id} 1 head changed`,
    ]);
  });

  it.each([1, 2, 5])("finds %i entries cut off at the end", async (count) => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n > ${5 - count}`);
    expect(await opened.problems()).toEqual([`${lane} ${6 - count} cut off`]);
  });

  it("finds entries cut off together with the head's number", async () => {
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n = 5;
      UPDATE audit_stream SET n = 4 WHERE stream_id = ${lane}`);
    expect(await opened.problems()).toEqual([`${lane} 4 head changed`]);
  });

  it("finds a removed head", async () => {
    await opened.tamper(`DELETE FROM audit_stream WHERE stream_id = ${lane}`);
    expect(await opened.problems()).toEqual([`${lane} 5 head changed`]);
  });

  it("finds an entry that was added behind the service", async () => {
    await opened.tamper(`INSERT INTO audit_event SELECT stream_id, 6, recorded_at, patient_id, key_id, content, digest,
      sha256(hash || digest) FROM audit_event WHERE stream_id = ${lane} AND n = 5`);
    expect(await opened.problems()).toEqual([`${lane} 5 head changed`]);
  });
});
