import { afterEach, expect, it } from "vitest";
import type { Settings } from "../../src/config.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { Collector, inNewTrace } from "./collector.ts";

let collector: Collector;
let service: RunningService;

async function serving(settings: (collector: Collector) => Partial<Settings>): Promise<void> {
  collector = await Collector.start();
  service = await startService(settings(collector));
}

afterEach(async () => {
  await collector.stop();
});

it("without a collector nothing is told, and registers learn of no trace", async () => {
  await serving(() => ({}));
  const { headers } = inNewTrace();
  const path = `${service.url}/fhir/Patient?identifier=https://fhir.ee/sid/pid/est/ni%7C36505280013`;
  expect((await send(path, { headers })).json.total).toBe(1);

  const { calls } = await sandboxControl(service.sandboxUrl).calls();
  const named = calls.map((one: { headers: object }) => Object.keys(one.headers).includes("traceparent"));
  expect(named).toContain(false);
  expect(named).not.toContain(true);
  await service.stop();
});

it("a collector that hangs harms no request, and holds up a stop for no more than two seconds", async () => {
  await serving(({ endpoint }) => ({ tracesEndpoint: endpoint }));
  collector.status = "hanging";
  const body = JSON.stringify(inventedPatient());
  const { json } = await send(`${service.url}/fhir/Patient`, { method: "POST", body });
  await expect.poll(() => collector.asked).toBe(1);
  const reads = Array.from({ length: 200 }, () => send(`${service.url}/fhir/Patient/${json.id}`));
  expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));

  const startedAt = performance.now();
  // An export may take ten at other times.
  await service.stop();
  expect(performance.now() - startedAt).toBeLessThan(9_500);
});
