import { expect, it } from "vitest";
import { reasons } from "../../src/lifecycle/reasons.ts";
import { stopAll } from "../../src/lifecycle/stoppable.ts";

it("an error and its causes have a line each, one without words its name", () => {
  const cause = new TypeError("", { cause: new Error("connect ECONNREFUSED") });
  expect(reasons(new Error("The database is out of reach.", { cause }))).toBe(
    "The database is out of reach.\nTypeError\nconnect ECONNREFUSED",
  );
});

it("of several things that did not stop each is told", async () => {
  const failing = (message: string) => () => Promise.reject(new Error(message));
  const failure = await stopAll([failing("no such file"), failing("connect ECONNREFUSED")]).catch(
    (error: unknown) => error,
  );
  expect(reasons(failure)).toBe("Several things did not stop.\nconnect ECONNREFUSED\nno such file");
});

it("causes without end are cut", () => {
  const error = new Error("again");
  error.cause = error;
  expect(reasons(error).split("\n")).toEqual(Array.from({ length: 8 }, () => "again"));
});
