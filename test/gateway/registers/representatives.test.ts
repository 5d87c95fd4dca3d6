import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { RR } from "./register-answers.ts";

const GUARDIAN = "47107010106";
const WARD = "39503080128";
const guardian = { personalCode: GUARDIAN, name: "Guardian", role: "legal-representative", patient: WARD };

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;
let wardId: string;

beforeAll(async () => {
  service = await startService();
  control = sandboxControl(service.sandboxUrl);
  const path = `${service.url}/fhir/Patient/$lookup?identifier=${WARD}&source=${RR}`;
  const { json } = await send(path, { headers: { "x-road-issue": "visit" } });
  wardId = json.entry[0].resource.id;
});

beforeEach(() => control.forgetCalls());

afterAll(() => service.stop());

function readsAtOnce(times: number, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  const reads = Array.from({ length: times }, () => ({
    request: { method: "GET", url: `Patient/${wardId}` },
  }));
  const bundle = { resourceType: "Bundle", type: "transaction", entry: reads };
  return send(`${service.url}/fhir`, { method: "POST", body: JSON.stringify(bundle), as: guardian, headers });
}

it("asks the register whom a legal representative represents once for all entries of a transaction", async () => {
  const answer = await readsAtOnce(3, { "cache-control": "no-cache" });
  expect(answer.json.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual(
    Array(3).fill(wardId),
  );
  expect(await control.count("rr/guardianships")).toBe(1);
});
