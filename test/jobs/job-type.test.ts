import { expect, test } from "vitest";
import { jobTypeOf, jobTypes } from "../../src/jobs/index.ts";

test.each(jobTypes)("%s is a job type", (type) => {
  expect(jobTypeOf(type)).toBe(type);
});

test.each(["", "Check-Index", "check-index ", "constructor"])("%j is none", (name) => {
  expect(() => jobTypeOf(name)).toThrow("JOB_TYPE_UNKNOWN");
});
