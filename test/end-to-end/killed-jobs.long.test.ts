import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Job, JobService, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import file from "../../src/sandbox/people.json" with { type: "json" };
import { callerHeaders, fetchAs } from "../callers.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { administrator } from "../jobs/administrator.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

const RR = "https://rahvastikuregister.ee";
const PEOPLE = 150;
const KILLS = 2;
/** Slow enough for processes to start meanwhile, and what the last one does the rest with. */
const [SLOWLY, QUICKLY] = [{ MPI_REFRESH_RATE: "1" }, { MPI_REFRESH_RATE: "4" }];
/** Well below the fifteen minutes of a queue that waits for its messages to expire. */
const SOON_MS = 120_000;

const processes: ServiceProcess[] = [];
let dataDirectory: string;
let database: TestDatabase;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
  database = await createTestDatabase();
});

afterAll(async () => {
  for (const running of processes) await running.kill();
  await database.drop();
  await rm(dataDirectory, { recursive: true });
});

async function start(settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const started = await startProcess(dataDirectory, database.url, settings);
  processes.push(started);
  return started;
}

async function end(running: ServiceProcess, how: "kill" | "stop"): Promise<unknown> {
  processes.splice(processes.indexOf(running), 1);
  return await running[how]();
}

async function clientOf({ url }: ServiceProcess) {
  const jobs = createClient(JobService, createConnectTransport({ baseUrl: url, httpVersion: "1.1" }));
  const options = { headers: await callerHeaders(url, administrator) };
  return {
    start: async (type: string) => jobOf((await jobs.startJob({ type }, options)).job),
    read: async (id: string) => jobOf((await jobs.getJob({ id }, options)).job),
  };
}

function jobOf(job: Job | undefined): Job {
  if (!job) throw new Error("There was no job in the answer.");
  return job;
}

async function load(url: string): Promise<void> {
  for (const { personalCode } of file.people.slice(0, PEOPLE)) {
    const found = await fetchAs(`${url}/fhir/Patient/$lookup?identifier=${personalCode}&source=${RR}`);
    expect(found.status).toBe(200);
  }
}

describe("a job whose process is killed", () => {
  it("is taken up by another one within seconds, from where it was, and ends once", {
    timeout: 900_000,
  }, async () => {
    let running = await start(SLOWLY);
    await load(running.url);
    const { id } = await (await clientOf(running)).start("refresh-from-register");
    let reached = 0n;
    for (let kill = 0; kill < KILLS; kill++) {
      const jobs = await clientOf(running);
      const doneOf = async () => (await jobs.read(id)).done;
      await expect.poll(doneOf, { timeout: SOON_MS }).toBeGreaterThan(reached);
      const other = await start(kill === KILLS - 1 ? QUICKLY : SLOWLY);
      reached = await doneOf();
      await end(running, "kill");
      const killedAt = Date.now();
      running = other;
      const next = await clientOf(running);
      const after = await next.read(id);
      expect(after.done).toBeGreaterThanOrEqual(reached);
      await expect
        .poll(async () => (await next.read(id)).done, { timeout: SOON_MS })
        .toBeGreaterThan(after.done);
      console.log(`taken up again ${Date.now() - killedAt} ms after the kill, at ${after.done}`);
    }
    const jobs = await clientOf(running);
    await expect.poll(async () => (await jobs.read(id)).state, { timeout: 300_000 }).toBe(JobState.SUCCEEDED);
    expect(await jobs.read(id)).toMatchObject({ done: BigInt(PEOPLE), total: BigInt(PEOPLE), problems: 0n });
    expect(await end(running, "stop")).toBe(0);
  });
});
