import { expect, test } from "vitest";
import { urnOfUrl } from "../../../gateway/bundle/name-uuid.ts";

test("the UUID of a URL is that of RFC 9562, version 5, in the namespace of URLs", () => {
  expect(urnOfUrl("http://www.example.com/")).toBe("urn:uuid:fcde3c85-2270-590f-9e7c-ee003d65e0e2");
});
