import { clone } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { underSignal } from "../../../src/call/current-call.ts";
import { onServer } from "../../database.ts";
import { openStore, type StoreUnderTest, somebody } from "./store.ts";

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

describe("a call that is cancelled", () => {
  it("ends its statement in the database, writes nothing and leaves nothing waiting", async () => {
    const patient = await opened.store.create(somebody(), new Date());
    await onServer(opened.databaseUrl, async (holder) => {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM patient WHERE id = $1 FOR UPDATE", [patient.id]);
      const write = underSignal(AbortSignal.timeout(200), () =>
        opened.store.replace(clone(PatientSchema, patient), clone(PatientSchema, patient), new Date()),
      );
      await expect(write).rejects.toThrow();
      const { rows } = await holder.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rows).toEqual([]);
      await holder.query("COMMIT");
    });
    expect((await opened.store.read(BigInt(patient.id ?? "")))?.patient.meta?.versionId).toBe("1");
  });

  it("does not start what it was going to do", async () => {
    const aborted = AbortSignal.abort(new Error("gone"));
    await expect(underSignal(aborted, () => opened.store.create(somebody(), new Date()))).rejects.toThrow();
  });
});
