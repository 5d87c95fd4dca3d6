import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuditedStores, openAudited, problemsIn, readOf, recordInOwnLane } from "./trail.ts";

const OTHERS = 20_000n;
/** MPI-003. */
const DOES_NOT_OPEN = { message: "INDEX_DECRYPTION_FAILED" };

let opened: AuditedStores;
let patients: bigint[];
let lane: bigint;
let next = 10_000n;

beforeAll(async () => {
  opened = await openAudited();
});

afterAll(async () => {
  await opened.close();
});

// Four entries that are written together, each of another patient, in a lane of their own.
beforeEach(async () => {
  patients = Array.from({ length: 4 }, () => next++);
  lane = await recordInOwnLane(opened, [
    patients.map((id) => readOf(id, { requestId: `of ${id}`, issue: "käsitlus 17" })),
  ]);
});

async function find(...ids: bigint[]) {
  const { entries } = await opened.reader.find({ patients: ids, spans: [], size: 100 });
  return entries;
}

function problems(): Promise<string[]> {
  return problemsIn(opened, [lane]);
}

describe("entries that were written together", () => {
  it("are read each by itself, and all on one page", async () => {
    for (const id of patients) {
      expect(await find(id)).toEqual([
        expect.objectContaining({ requestId: `of ${id}`, issue: "käsitlus 17" }),
      ]);
    }
    const together = await find(...patients);
    expect(together.map(({ requestId }) => requestId).sort()).toEqual(patients.map((id) => `of ${id}`));
  });

  it.each([
    ["whose data", 3, "patient_id = patient_id + 20000"],
    ["the time", 3, "recorded_at = recorded_at - interval '1 day'"],
    ["where the content stands", 3, "content_n = 2"],
    ["that it has no content of its own", 3, "content_n = NULL"],
    ["a content that was put in", 3, "content = '\\x00', key_id = 'a'"],
    ["the content of them all", 1, "content = set_bit(content, 300, 1 - get_bit(content, 300))"],
    ["the key of the content", 1, "key_id = 'another'"],
  ])("are found by verification when one was changed: %s", async (_what, n, change) => {
    await opened.tamper(`UPDATE audit_event SET ${change} WHERE stream_id = ${lane} AND n = ${n}`);
    expect(await problems()).toEqual([`${lane} ${n} changed`]);
  });

  it("are not shown as those of another patient", async () => {
    const [, , third = 0n] = patients;
    await opened.tamper(
      `UPDATE audit_event SET patient_id = ${third + OTHERS} WHERE stream_id = ${lane} AND n = 3`,
    );
    await expect(find(third + OTHERS)).rejects.toMatchObject(DOES_NOT_OPEN);
  });

  it("are not shown with the content of one another", async () => {
    const [, second = 0n] = patients;
    await opened.tamper(`UPDATE audit_event SET n = 9 WHERE stream_id = ${lane} AND n = 2;
      UPDATE audit_event SET n = 2 WHERE stream_id = ${lane} AND n = 3;
      UPDATE audit_event SET n = 3 WHERE stream_id = ${lane} AND n = 9`);
    await expect(find(second)).rejects.toMatchObject(DOES_NOT_OPEN);
    expect((await problems()).slice(0, 2)).toEqual([`${lane} 2 out of order`, `${lane} 3 out of order`]);
  });

  it("are not shown when their content is gone", async () => {
    const [, second = 0n] = patients;
    await opened.tamper(`DELETE FROM audit_event WHERE stream_id = ${lane} AND n = 1`);
    await expect(find(second)).rejects.toMatchObject(DOES_NOT_OPEN);
    expect(await problems()).toEqual([`${lane} 1 removed`]);
  });
});
