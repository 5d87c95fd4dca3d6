import fc from "fast-check";
import { expect, test } from "vitest";
import { CallHeaders } from "../../src/call/call-headers.ts";

const name = fc.constantFrom("authorization", "X-Road-Id", "x-road-id", "Accept-Language");
const value = fc.constantFrom("et", "Bearer abc", "0");
const step = fc.oneof(
  fc.tuple(fc.constantFrom("set" as const, "append" as const), name, value),
  fc.tuple(fc.constant("delete" as const), name),
);

/** All that can be asked of headers. */
function told(headers: Headers) {
  const visited: [string, string][] = [];
  headers.forEach((one, key) => {
    visited.push([key, one]);
  });
  return {
    asked: ["AUTHORIZATION", "x-road-id", "accept-language"].map((one) => [
      headers.get(one),
      headers.has(one),
    ]),
    all: [...headers],
    entries: [...headers.entries()],
    keys: [...headers.keys()],
    values: [...headers.values()],
    cookies: headers.getSetCookie(),
    copied: [...new Headers(headers)],
    visited,
  };
}

test("they tell what headers proper tell after the same changes", () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const headers = new CallHeaders();
      const proper = new Headers();
      for (const [change, key, given] of steps) {
        for (const one of [headers, proper]) {
          if (change === "delete") one.delete(key);
          else one[change](key, given);
        }
      }
      expect(told(headers)).toEqual(told(proper));
    }),
  );
});

test("who takes headers of any kind takes them", () => {
  expect(new CallHeaders()).toBeInstanceOf(Headers);
});
