import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { untilAborted } from "../../src/concurrency/until-aborted.ts";

const NEVER = new Promise<never>(() => undefined);

describe("work that is waited for until a signal", () => {
  test("gives its result, and its failure, and leaves nothing at the signal", async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
    await expect(untilAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("is waited for no longer than that, with its reason, even if it had gone before", async () => {
    const controller = new AbortController();
    const waiting = Promise.allSettled([1, 2, 3].map(() => untilAborted(NEVER, controller.signal)));
    controller.abort(new Error("gone"));
    const reasons = (await waiting).map((one) => one.status === "rejected" && one.reason.message);
    expect(reasons).toEqual(["gone", "gone", "gone"]);
    await expect(untilAborted(NEVER, controller.signal)).rejects.toThrow("gone");
    const failing = untilAborted(Promise.reject(new Error("nobody waits for it")), controller.signal);
    await expect(failing).rejects.toThrow("gone");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("is told of it also when others who waited have their results already", async () => {
    const controller = new AbortController();
    const [first, second, third] = [1, 2, 3].map(() => Promise.withResolvers<number>());
    const waiting = [first, second, third].map((one) =>
      untilAborted(one?.promise ?? NEVER, controller.signal),
    );
    first?.resolve(1);
    third?.resolve(3);
    expect(await Promise.all([waiting[0], waiting[2]])).toEqual([1, 3]);
    const late = untilAborted(NEVER, controller.signal);
    controller.abort(new Error("gone"));
    for (const one of [waiting[1], late]) await expect(one).rejects.toThrow("gone");
  });

  test("is one listener at the signal however many wait: each looks through all that are there", async () => {
    const { signal } = new AbortController();
    const waiting = Array.from({ length: 1000 }, (_, n) => untilAborted(sleep(n % 7, n), signal));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
