import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createRemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { callerHeaders, fetchAs } from "../callers.ts";
import { type ServiceProcess, startProcess } from "./service-process.ts";

let dataDirectory: string;
let service: ServiceProcess;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
  service = await startProcess(dataDirectory, "", {
    MPI_WORKERS: "2",
    MPI_METRICS_PORT: "0",
    MPI_LOG_LEVEL: "fatal",
  });
});

afterAll(async () => {
  await service.kill();
  await rm(dataDirectory, { recursive: true });
});

it("two processes serve one port; one that dies is replaced, what was acknowledged stays, reads go on", {
  timeout: 600_000,
}, async () => {
  const [first, second] = service.serving;
  expect(service.serving).toHaveLength(2);
  const writing = new Writing();
  // One after the other, so that each is known to have served.
  for (const pid of [first, second]) {
    await untilMore(() => writing.reads, 5);
    const before = service.serving.length;
    process.kill(pid ?? 0, "SIGKILL");
    await untilMore(() => writing.reads, 5);
    expect(service.serving, "the other one answered").toHaveLength(before);
    await untilMore(() => service.serving.length, 1);
  }
  await untilMore(() => writing.reads, 5);
  await writing.stop();
  for (const [id, value] of writing.acknowledged) expect(await identifierOf(id)).toBe(value);
});

it("what each of them measures is told in one place, of those that took the place of others too", async () => {
  const id = await created(randomUUID());
  await identifierOf(id ?? "");
  const metrics = await (await fetch(service.metricsUrl)).text();

  const processes = metrics
    .matchAll(/^mpi_database_up\{worker="(\d+)"\} 1$/gm)
    .map(([, worker]) => Number(worker));
  expect([...processes].toSorted()).toEqual([3, 4]);
  expect(metrics).toMatch(
    /^mpi_http_request_seconds_count\{method="GET",route="\/fhir\/Patient\/:id",status="200",worker="[34]"\} \d+$/m,
  );
  expect(metrics.match(/^# TYPE mpi_http_request_seconds histogram$/gm)).toHaveLength(1);
});

it("gRPC is served by them too, and a signal stops them all", async () => {
  const id = await created(randomUUID());
  const headers = await callerHeaders(service.grpcAddress);
  for (let connection = 0; connection < 4; connection++) {
    const transport = createRemoteTransport({ target: service.grpcAddress });
    const { readPatient } = PatientService.method;
    const { message } = await transport.unary(readPatient, undefined, 60_000, headers, { id: id ?? "" });
    expect(message.patient?.id).toBe(id);
    transport.close();
  }
  expect(await service.stop()).toBe(0);
  for (const pid of service.serving) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

/** Four clients that create patients and read them, one after the other. */
class Writing {
  readonly acknowledged = new Map<string, string>();
  reads = 0;
  #isOver = false;
  readonly #clients = [1, 2, 3, 4].map(() => this.#write());

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const value = randomUUID();
      const id = await created(value);
      if (id === undefined) continue;
      this.acknowledged.set(id, value);
      if ((await identifierOf(id)) === value) this.reads += 1;
    }
  }
}

/** Waits until a count has grown by so much. */
async function untilMore(count: () => number, more: number): Promise<void> {
  const wanted = count() + more;
  while (count() < wanted) await delay(5);
}

/** The id of a new patient; undefined when the connection broke: then nothing was acknowledged. */
async function created(value: string): Promise<string | undefined> {
  const body = JSON.stringify({
    resourceType: "Patient",
    meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified"] },
    identifier: [{ system: "https://fhir.ee/sid/pid/fin/ni", value }],
    name: [{ use: "official", family: "Virtanen", given: ["Aino"] }],
  });
  const headers = { "content-type": "application/fhir+json" };
  const resource = await ask("Patient", { method: "POST", headers, body });
  return resource?.id;
}

async function identifierOf(id: string): Promise<string | undefined> {
  return (await ask(`Patient/${id}`))?.identifier?.[0]?.value;
}

async function ask(path: string, init: RequestInit = {}) {
  try {
    const answer = await fetchAs(`${service.url}/fhir/${path}`, init);
    const resource = (await answer.json()) as { id: string; identifier?: { value?: string }[] };
    expect([200, 201], JSON.stringify(resource)).toContain(answer.status);
    return resource;
  } catch (cause) {
    // A connection that broke.
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}
