import { Agent, get } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createInProcessTransport } from "../../gateway/transport/in-process/in-process.ts";
import { intercept } from "../../src/grpc/interceptors/index.ts";
import { startService } from "../service.ts";
import { startGatewayTo } from "./started-gateway.ts";

/** Far longer than anything here takes. */
const LONG_MS = 60_000;

let agent: Agent;

beforeEach(() => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});

afterEach(() => agent.destroy());

it("a service that is told to stop answers the last request of a connection, ends it with the answer, and takes no other", async () => {
  const service = await startService({ shutdownLastRequests: LONG_MS, shutdownGrace: LONG_MS });
  const path = `${service.url}/health/live`;
  expect(await ask(path, agent)).toEqual([200, "keep-alive"]);
  const startedAt = performance.now();
  const stopped = service.stop();
  expect(await refusedOnce(path)).toBe("ECONNREFUSED");
  expect(await ask(path, agent)).toEqual([200, "close"]);
  await stopped;
  expect(performance.now() - startedAt).toBeLessThan(LONG_MS / 2);
});

it("a connection that brings no other request does not keep a service from stopping", async () => {
  const service = await startService({ shutdownLastRequests: 50, shutdownGrace: LONG_MS });
  await ask(`${service.url}/health/live`, agent);
  const startedAt = performance.now();
  await service.stop();
  expect(performance.now() - startedAt).toBeLessThan(LONG_MS / 2);
});

it("a connection whose request ends while the service stops does not keep it from stopping either", async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const readPatient = async () => {
    started.resolve();
    await release.promise;
    throw new ConnectError("gone", Code.Unavailable);
  };
  const core = intercept(PatientService, { readPatient }, { interceptors: [], defaultLanguage: "en" });
  const gateway = await startGatewayTo(createInProcessTransport([core]));
  const answer = ask(`${gateway.url}/fhir/Patient/1`, agent);
  await started.promise;
  const startedAt = performance.now();
  const stopped = gateway.stop(LONG_MS);
  await refusedOnce(gateway.url);
  release.resolve();
  expect((await answer)[0]).toBe(503);
  await stopped;
  expect(performance.now() - startedAt).toBeLessThan(LONG_MS / 2);
});

/** Why a connection of its own is refused, as soon as it is. */
async function refusedOnce(url: string): Promise<unknown> {
  for (;;) {
    const another = new Agent();
    const refusal = await ask(url, another).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (refusal !== undefined) return refusal;
  }
}

/** Status and Connection of the answer. */
function ask(url: string, by: Agent): Promise<[status: number | undefined, connection: string | undefined]> {
  return new Promise((resolve, reject) => {
    get(url, { agent: by }, (response) => {
      const { statusCode, headers } = response;
      response.resume().on("end", () => resolve([statusCode, headers.connection]));
    }).on("error", reject);
  });
}
