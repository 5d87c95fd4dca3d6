import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { underSignal } from "../../src/call/current-call.ts";
import { GatheredWork } from "../../src/concurrency/gathered-work.ts";

/** Answers each number with its square, none for those below zero; notes what was asked together. */
function squares(asking: () => Promise<unknown> = async () => undefined, atOnce = 1) {
  const asked: (readonly number[])[] = [];
  const gathered = new GatheredWork(async (keys: readonly number[]) => {
    asked.push(keys);
    await asking();
    return new Map(keys.filter((key) => key >= 0).map((key) => [key, key * key]));
  }, atOnce);
  return { asked, gathered };
}

describe("gathered work", () => {
  it("asks what comes in one turn together, each thing once, and gives everybody their own answer", async () => {
    const { asked, gathered } = squares();
    const answers = await Promise.all([2, 3, -1, 2].map((key) => gathered.ask(key)));
    expect(answers).toEqual([4, 9, undefined, 4]);
    expect(asked).toEqual([[2, 3, -1]]);
  });

  it("gathers what comes while a question is on its way", async () => {
    const gate = Promise.withResolvers<void>();
    const { asked, gathered } = squares(() => gate.promise);
    const answers = [gathered.ask(0)];
    await turn();
    for (const key of [1, 2, 3, 4]) {
      answers.push(gathered.ask(key));
      await turn();
    }
    gate.resolve();
    expect(await Promise.all(answers)).toEqual([0, 1, 4, 9, 16]);
    expect(asked).toEqual([[0], [1, 2, 3, 4]]);
  });

  it("asks as many questions at once as it may, another one only when it is worth it", async () => {
    const gate = Promise.withResolvers<void>();
    const { asked, gathered } = squares(() => gate.promise, 2);
    const answers = [];
    for (let key = 0; key < 23; key++) {
      answers.push(gathered.ask(key));
      await turn();
    }
    gate.resolve();
    await Promise.all(answers);
    expect(asked.map(({ length }) => length)).toEqual([1, 10, 12]);
  });

  it("asks another question only when it would be as large as the last one", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [first, second] = gates;
    const { asked, gathered } = squares(() => gates.shift()?.promise ?? Promise.resolve(), 2);
    const answers = Array.from({ length: 20 }, (_, key) => gathered.ask(key));
    await turn();
    for (let key = 20; key < 39; key++) answers.push(gathered.ask(key));
    await turn();
    expect(asked.map(({ length }) => length)).toEqual([20]);
    answers.push(gathered.ask(39));
    await turn();
    expect(asked.map(({ length }) => length)).toEqual([20, 20]);
    first?.resolve();
    second?.resolve();
    await Promise.all(answers);
  });

  it("fails those who asked together, and nobody after them", async () => {
    let failures = 1;
    const { gathered } = squares(async () => {
      if (failures-- > 0) throw new Error("the database is away");
    });
    const outcomes = await Promise.allSettled([gathered.ask(1), gathered.ask(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await gathered.ask(3)).toBe(9);
  });

  it("lets go of who is cancelled, and answers the others", async () => {
    const { gathered } = squares(() => delay(30));
    const caller = new AbortController();
    const cancelled = underSignal(caller.signal, () => gathered.ask(2));
    const other = gathered.ask(2);
    caller.abort(new Error("hung up"));
    await expect(cancelled).rejects.toThrow("hung up");
    expect(await other).toBe(4);
  });
});
