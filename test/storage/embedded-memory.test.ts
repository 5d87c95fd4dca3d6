import { expect, it } from "vitest";
import { sharedBuffers } from "../../src/storage/embedded/settings.ts";

const GIGABYTE = 2 ** 30;

it.each([
  [0.5 * GIGABYTE, "128MB"],
  [GIGABYTE, "128MB"],
  [2 * GIGABYTE, "256MB"],
  [8 * GIGABYTE, "1024MB"],
  [64 * GIGABYTE, "1024MB"],
])("of %d bytes the embedded server takes %s for tables and indexes", (memory, taken) => {
  expect(sharedBuffers(memory)).toBe(taken);
});
