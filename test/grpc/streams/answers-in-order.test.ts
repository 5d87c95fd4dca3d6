import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { answersInOrder } from "../../../src/grpc/streams/answers-in-order.ts";
import { UntilStopping } from "../../../src/grpc/streams/until-stopping.ts";

const AT_ONCE = 2;

/** Answers to messages without end, and how many streams the stop of the service would still have to tell. */
function answersBy(work: (message: number) => Promise<number>) {
  async function* messages() {
    for (let message = 1; ; message += 1) yield message;
  }
  const stopping = new AbortController();
  const { items } = new UntilStopping(messages(), stopping.signal);
  return {
    answers: answersInOrder(items, AT_ONCE, work),
    waitingForStop: () => getEventListeners(stopping.signal, "abort").length,
  };
}

it("a stream that nobody reads on lets go of its messages", async () => {
  const { answers, waitingForStop } = answersBy(async (message) => message);
  for await (const answer of answers) {
    expect(waitingForStop()).toBe(1);
    if (answer === 2) break;
  }
  await expect.poll(waitingForStop).toBe(0);
});

it("so does one whose work fails", async () => {
  const { answers, waitingForStop } = answersBy(() => Promise.reject(new Error("failed")));
  await expect(answers.next()).rejects.toThrow("failed");
  await expect.poll(waitingForStop).toBe(0);
});

it("no more messages are taken than are worked on at once", async () => {
  const begun: number[] = [];
  const steps = [1, 2, 3].map(() => Promise.withResolvers<number>());
  const { answers } = answersBy((message) => {
    begun.push(message);
    return steps[message - 1]?.promise ?? Promise.resolve(message);
  });
  const first = answers.next();
  await expect.poll(() => begun).toEqual([1, 2]);
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2]);
  steps[0]?.resolve(1);
  expect(await first).toEqual({ done: false, value: 1 });
  const second = answers.next();
  await expect.poll(() => begun).toEqual([1, 2, 3]);
  for (const [at, step] of steps.entries()) step.resolve(at + 1);
  expect(await second).toEqual({ done: false, value: 2 });
  await answers.return(undefined);
});

it("work that fails before its turn, and messages that cannot be let go, are told of in their turn alone", async () => {
  const first = Promise.withResolvers<number>();
  const failed = Promise.withResolvers<void>();
  const messages = {
    [Symbol.asyncIterator]: () => {
      let message = 0;
      return {
        next: () =>
          message < AT_ONCE
            ? Promise.resolve({ done: false as const, value: ++message })
            : new Promise<never>(() => undefined),
        return: () => Promise.reject(new Error("the connection is gone")),
      };
    },
  };
  const answers = answersInOrder(messages, AT_ONCE + 1, async (message) => {
    if (message === 1) return await first.promise;
    failed.resolve();
    throw new Error("refused");
  });
  const next = answers.next();
  await failed.promise;
  // Whoever is to hear of unhandled rejections does so by then.
  await new Promise(setImmediate);
  first.resolve(1);
  expect(await next).toEqual({ done: false, value: 1 });
  await expect(answers.next()).rejects.toThrow("refused");
});

it("a stream ends when the service stops, also between two messages, and says that there may be more", async () => {
  const stopping = new AbortController();
  async function* messages() {
    yield 1;
    await new Promise<never>(() => undefined);
  }
  const until = new UntilStopping(messages(), stopping.signal);
  const items = until.items[Symbol.asyncIterator]();
  expect(await items.next()).toEqual({ done: false, value: 1 });
  stopping.abort();
  expect(await items.next()).toMatchObject({ done: true });
  expect(() => until.refuseTheRest()).toThrow("SERVICE_STOPPING");
});
