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
