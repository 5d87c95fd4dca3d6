import { expect, test } from "vitest";
import { AnswerRoom } from "../../../../gateway/routes/batch/answer-room.ts";

const READ = { code: "read" } as const;
const CREATE = { code: "create" } as const;

test("what is full refuses reads and no writes", () => {
  const room = new AnswerRoom(1_000);
  room.hold("x".repeat(900));
  expect(() => room.refuseWhenFull(READ)).not.toThrow();
  room.hold("x".repeat(900));
  expect(() => room.refuseWhenFull(READ)).toThrow("TOO_MANY_RESULTS");
  expect(() => room.refuseWhenFull(CREATE)).not.toThrow();
});

test("an answer of many small elements takes room for each of them, though it has hardly any text", () => {
  const room = new AnswerRoom(100_000);
  const extension = Array.from({ length: 3_000 }, () => ({ url: "a", valueCode: "a" }));
  const answer = { status: 200, headers: {}, resource: { resourceType: "Patient", extension } };
  expect(room.take(answer).resource).toBeDefined();
  expect(() => room.refuseWhenFull(READ)).toThrow("TOO_MANY_RESULTS");
  expect(room.take(answer).resource).toBeUndefined();
});

test("numbers and truth values take room too", () => {
  const room = new AnswerRoom(100_000);
  room.hold(Array.from({ length: 20_000 }, (_, n) => n));
  expect(() => room.refuseWhenFull(READ)).toThrow("TOO_MANY_RESULTS");
});
