import { expect, it } from "vitest";
import { causesOf } from "../../src/errors/index.ts";

const CODE = "38001085718";

it.each([
  ["on one line", `no person ${CODE}`],
  ["on a line that looks like a frame", `no person\n    at ${CODE}`],
  ["and nothing else", `at ${CODE}`],
])("what an error quotes %s is not told, but where it was thrown", (_where, message) => {
  const causes = causesOf(new Error("It failed.", { cause: new Error(message) }));
  expect(JSON.stringify(causes)).not.toContain(CODE);
  for (const { stack } of causes) expect(stack).toMatch(/^at .*causes\.test\.ts/);
});

it.each([
  ["23505", "23505"],
  ["ECONNREFUSED", "ECONNREFUSED"],
  ["Server.ServerProxy.ServiceFailed.HttpError", "Server.ServerProxy.ServiceFailed.HttpError"],
  [CODE, "?"],
  [`Isik ${CODE}`, "?"],
])("the code %s of an error is told as %s", (code, told) => {
  expect(causesOf(Object.assign(new Error("It failed."), { code }))).toMatchObject([{ code: told }]);
});
