import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { jobTypeOf, jobTypes } from "../../src/jobs/index.ts";

test.each(jobTypes)("%s is a job type", (type) => {
  expect(jobTypeOf(type)).toBe(type);
});

test.each(["", "Check-Index", "check-index ", "constructor"])("%j is none", (name) => {
  expect(() => jobTypeOf(name)).toThrow("JOB_TYPE_UNKNOWN");
});

test("docs/jobs.md explains each type, and the contract names them", async () => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const page = await read("docs/jobs.md");
  expect([...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, type]) => type)).toEqual([...jobTypes]);
  const contract = await read("proto/patientindex/v1/job_service.proto");
  const [, named = ""] = /\/\/ (.*)\.\n {2}string type = 1;/.exec(contract) ?? [];
  expect(named.split(/, | or /)).toEqual([...jobTypes]);
});
