import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService({ wmMode: "sync" });
  control = sandboxControl(service.sandboxUrl);
});

afterEach(() => control.heal());

afterAll(() => service.stop());

it.for([
  [{ code: "7", message: "no" }, 502],
  [{ drop: true }, 503],
  [{ delayMs: 60_000 }, 504],
] as const)(
  "a link that the WM service could not be told of is refused as it failed: %o",
  async ([fault, status]) => {
    const [source, target] = [await store(), await store()];
    await control.fail({ register: "wm", ...fault });
    const parameter = [
      { name: "source-patient", valueReference: { reference: `Patient/${source}` } },
      { name: "target-patient", valueReference: { reference: `Patient/${target}` } },
    ];
    const refused = await send(`${service.url}/fhir/Patient/$link`, {
      method: "POST",
      body: JSON.stringify({ resourceType: "Parameters", parameter }),
    });
    expect([refused.status, codesOf(refused)]).toEqual([status, ["MPI-039"]]);
    const { json } = await send(`${service.url}/fhir/Patient/${source}`);
    expect([json.meta.versionId, json.link]).toEqual(["1", undefined]);
  },
);

async function store(): Promise<string> {
  const body = JSON.stringify(inventedPatient());
  return (await send(`${service.url}/fhir/Patient`, { method: "POST", body })).json.id;
}
