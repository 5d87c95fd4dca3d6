import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import people from "../../../src/sandbox/people.json" with { type: "json" };
import { registerSettings } from "../../registers/register-settings.ts";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { send } from "../http-client.ts";

const RR = "https://rahvastikuregister.ee";

/** So that two hundred are answered on a slow machine, too. */
const registerTimeout = 60_000;

let folder: string;
let replicas: readonly RunningService[];
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "replicas-"));
  const keyFile = join(folder, "keys.json");
  const first = await startService({ keyFile, registerTimeout });
  const { databaseUrl, sandboxUrl } = first;
  const settings = { keyFile, registerTimeout, databaseUrl, ...registerSettings(sandboxUrl) };
  replicas = [first, await startService(settings)];
  control = sandboxControl(sandboxUrl);
  // The register is asked for the author too, once.
  for (const { url } of replicas) await send(`${url}/fhir/Patient/1`);
});

afterAll(async () => {
  for (const replica of [...replicas].reverse()) await replica.stop();
  await rm(folder, { recursive: true });
});

const headers = { "x-road-issue": "visit" };

it("200 look-ups of an unknown person over two replicas make one patient and one call of the register", async () => {
  const code = people.people[20]?.personalCode ?? "";
  await control.forgetCalls();
  await control.fail({ register: "rr", delayMs: 300, times: 1 });
  const path = `/fhir/Patient/$lookup?identifier=${code}&source=${RR}`;
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => send(`${replicas[n % 2]?.url}${path}`, { headers })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200));
  expect(new Set(answers.map(({ json }) => json.entry[0].resource.id)).size).toBe(1);
  expect(await control.count("rr/person")).toBe(1);
});

it("an answer that one replica keeps serves the other", async () => {
  const code = people.people[21]?.personalCode ?? "";
  const path = `/fhir/Patient?identifier=https://fhir.ee/sid/pid/est/ni|${code}`;
  await control.forgetCalls();
  for (const { url } of replicas) {
    const { json } = await send(`${url}${path}`, { headers });
    expect(json.total).toBe(1);
    await send(`${url}/fhir/Patient/$education?patient.identifier=${code}`, { headers });
  }
  expect(await control.count("rr/education")).toBe(1);
});
