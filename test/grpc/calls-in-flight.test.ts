import { expect, test } from "vitest";
import { CallsInFlight } from "../../src/grpc/calls-in-flight.ts";

test("a server is idle when the last of its calls has been answered, those that came meanwhile too", async () => {
  const calls = new CallsInFlight(() => undefined);
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const order: string[] = [];
  calls.track(first.promise);
  const idle = calls.idle().then(() => order.push("idle"));
  calls.track(second.promise);
  first.resolve();
  await first.promise;
  order.push("first");
  second.resolve();
  await idle;
  expect(order).toEqual(["first", "idle"]);
  await calls.idle();
});

test("an answer that cannot be sent is told of, and stops nobody", async () => {
  const unsent: unknown[] = [];
  const calls = new CallsInFlight((error) => unsent.push(error));
  calls.track(Promise.reject(new Error("gone")));
  await calls.idle();
  expect(unsent).toEqual([new Error("gone")]);
});
