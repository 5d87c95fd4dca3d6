import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { doingAnew } from "../../../gateway/routes/doing-anew.ts";

const overtaken = new Error("somebody else was quicker");

/** Work that is overtaken so often, and how often it was done. */
function work(often: number, before: (done: number) => void = () => undefined) {
  const work = {
    done: 0,
    async once() {
      work.done += 1;
      before(work.done);
      if (work.done <= often) throw overtaken;
      return "written";
    },
  };
  return work;
}

const isOvertaken = (error: unknown) => error === overtaken;

describe("what somebody else has overtaken", () => {
  it("is done again, ten times in all", async () => {
    const tenth = work(9);
    await expect(doingAnew({ call: {} }, tenth.once, isOvertaken)).resolves.toBe("written");
    const never = work(10);
    await expect(doingAnew({ call: {} }, never.once, isOvertaken)).rejects.toBe(overtaken);
    expect([tenth.done, never.done]).toEqual([10, 10]);
  });

  it("is done by rivals at times of their own: more than five who begin at once all come through", async () => {
    let version = 0;
    const write = async () => {
      const read = version;
      await delay(1);
      if (version !== read) throw overtaken;
      version += 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => doingAnew({ call: {} }, write, isOvertaken)));
    expect(version).toBe(8);
  });

  it("is not done again when the client has hung up", async () => {
    const client = new AbortController();
    const once = work(1, () => client.abort());
    await expect(doingAnew({ call: { signal: client.signal } }, once.once, isOvertaken)).rejects.toBe(
      overtaken,
    );
    expect(once.done).toBe(1);
  });

  it("is not done again when the client hangs up during the wait", async () => {
    const client = new AbortController();
    const once = work(1, () => setImmediate(() => client.abort()));
    await expect(doingAnew({ call: { signal: client.signal } }, once.once, isOvertaken)).rejects.toBe(
      overtaken,
    );
    expect(once.done).toBe(1);
  });
});

it("what fails for another reason is not done again", async () => {
  const once = work(1);
  await expect(doingAnew({ call: {} }, once.once, () => false)).rejects.toBe(overtaken);
  expect(once.done).toBe(1);
});
