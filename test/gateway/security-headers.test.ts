import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { send } from "./http-client.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

test.each([
  ["/fhir/Patient/999999", "no-store"],
  ["/fhir/Patient?colour=red", "no-store"],
  ["/nowhere", "no-store"],
  ["/health/live", "no-store"],
  ["/patientindex.v1.PatientService/ReadPatient", "no-store"],
  ["/fhir/metadata", "no-cache"],
  ["/fhir/StructureDefinition", "no-cache"],
])("%s is not sniffed, run or framed, and kept as its data allow: %s", async (path, caching) => {
  const isCall = path.startsWith("/patientindex");
  const request = { method: "POST", body: '{"id":"1"}', headers: { "content-type": "application/json" } };
  const { headers } = await send(service.url + path, isCall ? request : {});
  expect(headers.get("cache-control")).toBe(caching);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});
