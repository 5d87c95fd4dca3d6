import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { underCall } from "../../../src/call/current-call.ts";
import { unitOfWork } from "../../../src/storage/index.ts";
import { somebody } from "../patients/store.ts";
import { type AuditedStores, callOf, entriesOf, openAudited } from "./trail.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");

let opened: AuditedStores;

beforeAll(async () => {
  opened = await openAudited();
});

afterAll(async () => {
  await opened.close();
});

describe("a read by id", () => {
  const read = async (id: bigint) => {
    const call = callOf("PatientService/ReadPatient", "read-1");
    const found = await underCall(call, () => opened.store.readRecorded(id, NOW));
    return { found: found?.patient.id, recorded: [...call.accesses.recorded] };
  };

  it("leaves its entry by the statement that reads, and says so", async () => {
    const id = BigInt((await opened.store.create(somebody(), NOW)).id ?? "");
    const reads = await Promise.all(Array.from({ length: 30 }, () => read(id)));
    for (const one of reads) expect(one).toEqual({ found: String(id), recorded: [id] });
    const [, ...entries] = await entriesOf(opened.reader, id);
    expect(entries).toHaveLength(30);
    expect(entries[0]).toEqual({
      action: "R",
      method: "PatientService/ReadPatient",
      requestId: "read-1",
      actor: expect.objectContaining({ personalCode: "38001085718", organization: "90009016" }),
      issue: "käsitlus 17",
      recordedAt: NOW,
      patientId: id,
    });
    expect(await opened.problems()).toEqual([]);
  });

  it("records nothing beside somebody who is not there, and leaves that to the calls", async () => {
    const id = BigInt((await opened.store.create(somebody(), NOW)).id ?? "");
    const [one, missing] = await Promise.all([read(id), read(987_654_321n)]);
    expect(one).toEqual({ found: String(id), recorded: [] });
    expect(missing).toEqual({ found: undefined, recorded: [] });
    expect(await read(id)).toEqual({ found: String(id), recorded: [id] });
    expect(await entriesOf(opened.reader, id)).toHaveLength(2);
    expect(await entriesOf(opened.reader, 987_654_321n)).toEqual([]);
    expect(await opened.problems()).toEqual([]);
  });

  it("records nothing in a transaction and without a call", async () => {
    const { store, database, ring, reader } = opened;
    const id = BigInt((await store.create(somebody(), NOW)).id ?? "");
    expect((await store.readRecorded(id, NOW))?.patient.id).toBe(String(id));
    const inTransaction = await unitOfWork(database, ring).run(() => read(id));
    expect(inTransaction).toEqual({ found: String(id), recorded: [] });
    expect(await entriesOf(reader, id)).toMatchObject([{ action: "C" }]);
  });

  it("is not answered when its entry cannot be written, and the next goes to a new stream", async () => {
    const id = BigInt((await opened.store.create(somebody(), NOW)).id ?? "");
    await read(id);
    await opened.tamper(
      `ALTER TABLE audit_event ADD CONSTRAINT full_disk_of_reads CHECK (patient_id <> ${id}) NOT VALID`,
    );
    await expect(read(id)).rejects.toThrow();
    await opened.tamper("ALTER TABLE audit_event DROP CONSTRAINT full_disk_of_reads");
    await read(id);
    const { entries } = await opened.reader.find({ patients: [id], spans: [], size: 10 });
    const reads = entries.filter(({ action }) => action === "R");
    expect(new Set(reads.map(({ streamId }) => streamId)).size).toBe(2);
    expect(await opened.problems()).toEqual([]);
  });
});
