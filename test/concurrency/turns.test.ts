import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { Accesses } from "../../src/call/accesses.ts";
import { type CurrentCall, underCall, underSignal } from "../../src/call/current-call.ts";
import { Turns } from "../../src/concurrency/turns.ts";
import { MpiError } from "../../src/errors/index.ts";
import { callerWith } from "../access/callers.ts";

/** Work that has begun, by its name, and goes on until it is ended. */
function works(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string, size: number) =>
    turns.take(size, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
  };
  return { begun, take, end };
}

function someCall(): CurrentCall {
  return {
    headers: new Headers(),
    requestId: "1",
    method: "TransactionService/ProcessTransaction",
    version: "1.5.0",
    caller: undefined,
    accesses: new Accesses(),
    deadline: undefined,
  };
}

/** Work of the users of three applications. */
function worksOfThree(turns: Turns) {
  const { begun, take, end } = works(turns);
  const by = (application: string) => (name: string, size: number) =>
    underCall({ ...someCall(), caller: callerWith({ role: "doctor", application }) }, () => take(name, size));
  return { begun, end, one: by("one"), other: by("other"), third: by("third") };
}

const isTooMany = (error: unknown) => error instanceof MpiError && error.says("TOO_MANY_REQUESTS");

it("so much is done at once, the rest in the order in which it came", async () => {
  const { begun, take, end } = works(new Turns({ atOnce: 10, most: 10, waiting: 100 }));
  const all = [take("a", 6), take("b", 4), take("c", 5), take("d", 1)];
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  // What is small does not overtake what is large: that would wait for ever.
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  expect(begun).toEqual(["a", "b", "c", "d"]);
  await end("c");
  await end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

it("what is larger than all that may be done is done alone, and of what is small there are only so many at once", async () => {
  const { begun, take, end } = works(new Turns({ atOnce: 10, most: 2, waiting: 100 }));
  const all = [take("huge", 50), take("a", 1), take("b", 1), take("c", 1)];
  expect(begun).toEqual(["huge"]);
  await end("huge");
  expect(begun).toEqual(["huge", "a", "b"]);
  for (const name of ["a", "b", "c"]) await end(name);
  await Promise.all(all);
});

it("what failed makes room as well", async () => {
  const turns = new Turns({ atOnce: 1, most: 2, waiting: 1 });
  const failing = turns.take(1, () => Promise.reject(new Error("failed")));
  const next = turns.take(1, async () => "done");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
});

it("what is more than may wait is refused at once", async () => {
  const { begun, take, end } = works(new Turns({ atOnce: 1, most: 2, waiting: 3 }));
  const all = [take("a", 1), take("b", 3)];
  await expect(take("c", 1)).rejects.toSatisfy(isTooMany);
  await end("a");
  const late = take("d", 1);
  await end("b");
  await end("d");
  await Promise.all([...all, late]);
  expect(begun).toEqual(["a", "b", "d"]);
});

it("nobody waits longer than a third of the time that his call has left", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { begun, take, end } = works(new Turns({ atOnce: 2, most: 2, waiting: 10 }));
  const first = take("a", 1);
  const call = { ...someCall(), deadline: Date.now() + 600 };
  const refused = expect(underCall(call, () => take("b", 2))).rejects.toSatisfy(isTooMany);
  const behind = take("c", 1);
  vi.advanceTimersByTime(199);
  await turn();
  expect(begun).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  await refused;
  await turn();
  expect(begun).toEqual(["a", "c"]);
  await end("a");
  await end("c");
  await Promise.all([first, behind]);
});

it("who sends little does not wait for all that another has sent before", async () => {
  const { begun, end, one, other } = worksOfThree(new Turns({ atOnce: 2, most: 2, waiting: 100 }));
  const all = [one("a", 1), one("b", 1), one("c", 1), one("d", 1), other("x", 1), other("y", 1)];
  await end("a");
  await end("b");
  expect(begun).toEqual(["a", "b", "x", "c"]);
  await end("x");
  await end("c");
  expect(begun).toEqual(["a", "b", "x", "c", "y", "d"]);
  await end("y");
  await end("d");
  await Promise.all(all);
});

it("who has more than half of the room to wait in makes some for others, with what came last of theirs", async () => {
  const { begun, end, one, other } = worksOfThree(new Turns({ atOnce: 1, most: 1, waiting: 4 }));
  const first = [one("a", 1), one("b", 1), one("c", 1)];
  const last = [one("d", 1), one("e", 1)].map((late) => expect(late).rejects.toSatisfy(isTooMany));
  const others = other("x", 2);
  await Promise.all(last);
  await expect(one("f", 1)).rejects.toSatisfy(isTooMany);
  // Neither has more than half now.
  await expect(other("y", 1)).rejects.toSatisfy(isTooMany);
  for (const name of ["a", "b", "c", "x"]) await end(name);
  await Promise.all([...first, others]);
  expect(begun).toEqual(["a", "b", "c", "x"]);
});

it("room is made by nobody but who has more than half of it, and for nobody who would have", async () => {
  const { begun, end, one, other, third } = worksOfThree(new Turns({ atOnce: 1, most: 1, waiting: 4 }));
  const first = [one("a", 1), one("b", 1), one("c", 1)];
  const last = expect(one("d", 1)).rejects.toSatisfy(isTooMany);
  const others = [other("x", 1)];
  await expect(other("y", 2)).rejects.toSatisfy(isTooMany);
  others.push(third("z", 1));
  await last;
  await expect(third("w", 1)).rejects.toSatisfy(isTooMany);
  for (const name of ["a", "b", "c", "x", "z"]) await end(name);
  await Promise.all([...first, ...others]);
  expect(begun).toEqual(["a", "b", "c", "x", "z"]);
});

it("who comes where there is room, once others had to go for him, begins at once", async () => {
  const { begun, end, one, other } = worksOfThree(new Turns({ atOnce: 10, most: 10, waiting: 10 }));
  const first = one("a", 5);
  const refused = expect(one("b", 8)).rejects.toSatisfy(isTooMany);
  const next = other("x", 3);
  await refused;
  expect(begun).toEqual(["a", "x"]);
  for (const name of ["a", "x"]) await end(name);
  await Promise.all([first, next]);
});

it("who has begun has left the queue for good, whatever becomes of his call", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { take, end } = works(new Turns({ atOnce: 1, most: 1, waiting: 1 }));
  const caller = new AbortController();
  const call = { ...someCall(), deadline: Date.now() + 600 };
  const all = [take("a", 1), underCall(call, () => take("b", 1), caller.signal)];
  await end("a");
  vi.advanceTimersByTime(600);
  caller.abort();
  all.push(take("c", 1));
  await expect(take("d", 1)).rejects.toSatisfy(isTooMany);
  await end("b");
  await end("c");
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
});

it("who was cancelled before does not begin to wait", async () => {
  const { begun, take, end } = works(new Turns({ atOnce: 1, most: 2, waiting: 1 }));
  const first = take("a", 1);
  const gone = AbortSignal.abort(new Error("hung up"));
  await expect(underSignal(gone, () => take("b", 1))).rejects.toThrow("hung up");
  await end("a");
  await first;
  expect(begun).toEqual(["a"]);
});

it("who is cancelled waits no longer, and does not do his work", async () => {
  const { begun, take, end } = works(new Turns({ atOnce: 1, most: 2, waiting: 10 }));
  const caller = new AbortController();
  const first = take("a", 1);
  const cancelled = underSignal(caller.signal, () => take("b", 1));
  const next = take("c", 1);
  caller.abort(new Error("hung up"));
  await expect(cancelled).rejects.toThrow("hung up");
  await end("a");
  await end("c");
  await Promise.all([first, next]);
  expect(begun).toEqual(["a", "c"]);
});
