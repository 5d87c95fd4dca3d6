import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseXml } from "../../gateway/fhir/index.ts";
import { fetchAs } from "../callers.ts";
import { type RunningService, startService } from "../service.ts";
import { requests } from "./fuzz/requests.ts";

const RUNS = 10_000;

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

test(`of ${RUNS} invented requests none is answered with 5xx, and every refusal is an OperationOutcome`, async () => {
  const met = new Set<number>();
  await fc.assert(
    fc.asyncProperty(requests, async ({ path: target, ...request }) => {
      const response = await fetchAs(`${service.url}${target}`, {
        ...request,
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      met.add(response.status);
      expect(response.status).toBeLessThan(500);
      if (response.status >= 400 && request.method !== "HEAD") expect(isOutcome(outcomeIn(text))).toBe(true);
    }),
    { numRuns: RUNS },
  );
  // Else they would have failed at the door, all of them.
  const every = [200, 201, 304, 400, 404, 405, 406, 409, 412, 415, 422];
  expect([...met].sort()).toEqual(expect.arrayContaining(every));
}, 600_000);

function outcomeIn(text: string): { resourceType?: unknown; issue?: unknown } {
  return (text.startsWith("<?xml") ? parseXml(text).value : JSON.parse(text)) as object;
}

function isOutcome(json: { resourceType?: unknown; issue?: unknown }): boolean {
  const issues = Array.isArray(json.issue) ? json.issue : [];
  return (
    json.resourceType === "OperationOutcome" &&
    issues.length > 0 &&
    issues.every(({ severity, code, details }) => severity && code && details?.text)
  );
}
