import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { send } from "../gateway/http-client.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

let dataDirectory: string;
let service: ServiceProcess;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
});

afterEach(async () => {
  await service.kill();
  await rm(dataDirectory, { recursive: true });
});

it.each(["1", "2"])(
  "without its embedded database the service ends, as %s processes, and starts again",
  {
    timeout: 300_000,
  },
  async (workers) => {
    const settings = { MPI_WORKERS: workers, MPI_LOG_LEVEL: "silent" };
    service = await startProcess(dataDirectory, "", settings);
    const file = await readFile(join(dataDirectory, "postgres", "cluster", "postmaster.pid"), "utf8");
    process.kill(Number(file.split("\n")[0]), "SIGKILL");
    expect(await service.ended()).toBe(1);
    expect(service.errors).toEqual(["The embedded database has ended: stopping"]);
    service = await startProcess(dataDirectory, "", settings);
    expect((await send(`${service.url}/health/ready`)).status).toBe(200);
  },
);
