import { expect, test } from "vitest";
import { passedHeaders } from "../../../gateway/transport/passed-headers.ts";

/** As Node gives the value of a header that was sent in UTF-8. */
const asReceived = (text: string) => Buffer.from(text, "utf8").toString("latin1");

function passed(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(passedHeaders((name) => headers[name]));
}

test("what the core reads goes on, what speaks of the connection does not", () => {
  const given = {
    authorization: "Bearer a.b.c",
    "x-road-id": "1",
    host: "mpi",
    cookie: "a=b",
    "grpc-timeout": "1S",
  };
  expect(passed(given)).toEqual({ authorization: "Bearer a.b.c", "x-road-id": "1" });
});

test.each([
  ["plain", "ravi", "ravi"],
  ["percent-encoded already", "Ravi%20%C3%B5ues", "Ravi%20%C3%B5ues"],
  ["sent in UTF-8", asReceived("visiit õues 🌙"), "visiit %C3%B5ues %F0%9F%8C%99"],
  ["sent in Latin-1", "visiit õues", "visiit %C3%B5ues"],
  ["with a tab", "a\tb", "a%09b"],
])("a reason that is %s travels as ASCII", (_, given, expected) => {
  expect(passed({ "x-road-issue": given })).toEqual({ "x-road-issue": expected });
});
