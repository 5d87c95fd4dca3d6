import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:http2";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Code, ConnectError, createClient, createServiceImplSpec } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createRemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { MpiError } from "../../src/errors/index.ts";
import type { GrpcServer } from "../../src/grpc/server.ts";
import { startCore } from "../gateway/transport/ways.ts";
import { type Echo, EchoService, echoSpec } from "./echo-service.ts";
import { checkHealth, watchHealth } from "./health-client.ts";
import { rejectionOf } from "./refusals.ts";

const run = promisify(execFile);
const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");

let core: GrpcServer | undefined;
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await core?.stop(0);
  core = undefined;
});

async function startEcho(impl: Echo): Promise<GrpcServer> {
  core = await startCore([echoSpec(impl)]);
  return core;
}

function clientOf({ port }: GrpcServer) {
  const transport = createRemoteTransport({ target: `127.0.0.1:${port}` });
  ends.push(() => transport.close());
  return createClient(EchoService, transport);
}

describe("server reflection", () => {
  const reflected = (protocol: string, data: string, method: string, port: number) =>
    run(buf, [
      ...["curl", "--protocol", "grpc", "--http2-prior-knowledge", "--reflect-protocol", protocol],
      ...["--data", data, `http://127.0.0.1:${port}/${method}`],
    ]);

  test.each(["grpc-v1", "grpc-v1alpha"])(
    "lets a tool call a service without its proto (%s)",
    async (protocol) => {
      const { port } = await startEcho({ say: ({ value }) => ({ value: value.toUpperCase() }) });
      const { stdout } = await reflected(protocol, '"tere"', "test.EchoService/Say", port);
      expect(JSON.parse(stdout)).toBe("TERE");
    },
  );

  test("knows the health service, and what a refusal carries", async () => {
    const { port } = await startEcho({ say: () => Promise.reject(new MpiError("PATIENT_NOT_FOUND")) });
    const asked = '{"service": "test.EchoService"}';
    const { stdout } = await reflected("grpc-v1", asked, "grpc.health.v1.Health/Check", port);
    expect(JSON.parse(stdout)).toEqual({ status: "SERVING" });
    const refused = await reflected("grpc-v1", '"tere"', "test.EchoService/Say", port).catch(
      (failed: { stderr: string }) => failed.stderr,
    );
    expect(refused).toContain("PATIENT_NOT_FOUND");
    expect(refused).toContain("MPI-021");
  });

  test("knows the whole contract of patients", async () => {
    const patients = createServiceImplSpec<typeof PatientService>(PatientService, {
      readPatient: ({ id }) => ({ patient: { id, name: [{ family: "Kask", given: ["Mari"] }] } }),
    });
    core = await startCore([patients]);
    const method = "patientindex.v1.PatientService/ReadPatient";
    const { stdout } = await reflected("grpc-v1", '{"id": "7"}', method, core.port);
    expect(JSON.parse(stdout)).toEqual({ patient: { id: "7", name: [{ family: "Kask", given: ["Mari"] }] } });
  });
});

describe("the health service", () => {
  test("tells of the server and of each service", async () => {
    const { port } = await startEcho({});
    expect(await checkHealth(port, "")).toBe("SERVING");
    expect(await checkHealth(port, "test.EchoService")).toBe("SERVING");
    await expect(checkHealth(port, "test.NoService")).rejects.toMatchObject({ code: Code.NotFound });
  });

  test("tells those who watch that the server goes", async () => {
    const server = await startEcho({});
    const watch = watchHealth(server.port, "");
    ends.push(() => watch.cancel());
    await expect.poll(() => watch.seen).toEqual(["SERVING"]);
    await server.stop(2_000);
    expect(watch.seen).toEqual(["SERVING", "NOT_SERVING"]);
  });
});

describe("stopping", () => {
  test("lets a call that runs end, and takes no new one", async () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const server = await startEcho({
      say: async () => {
        started.resolve();
        await release.promise;
        return { value: "done" };
      },
    });
    const running = clientOf(server).say({});
    await started.promise;
    const stopped = server.stop(5_000);
    expect((await rejectionOf(clientOf(server).say({}))).code).toBe(Code.Unavailable);
    release.resolve();
    expect((await running).value).toBe("done");
    await stopped;
  });

  test("does not wait for those who only watch", async () => {
    const server = await startEcho({});
    const watch = watchHealth(server.port, "");
    ends.push(() => watch.cancel());
    await expect.poll(() => watch.seen.length).toBe(1);
    const startedAt = performance.now();
    await server.stop(60_000);
    await watch.ended;
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(watch.seen).toEqual(["SERVING", "NOT_SERVING"]);
  });

  test("cuts off what outlasts the time of grace, and tells the service", async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const server = await startEcho({
      say: async (_, { signal }) => {
        started.resolve(signal);
        await sleep(600_000, undefined, { signal });
        return {};
      },
    });
    const running = rejectionOf(clientOf(server).say({}));
    const signal = await started.promise;
    await server.stop(200);
    expect((await running).code).toBe(Code.Unavailable);
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

describe("the server", () => {
  test("does not start on a port that is taken", async () => {
    const { port } = await startEcho({});
    await expect(startCore([], port)).rejects.toThrow(`gRPC cannot listen on 127.0.0.1:${port}.`);
  });

  test("refuses a request that is too large", async () => {
    const client = clientOf(await startEcho({ say: () => ({}) }));
    const error = await rejectionOf(client.say({ value: "x".repeat(5 * 1024 * 1024) }));
    expect(error.code).toBe(Code.ResourceExhausted);
  });

  test.each(["600H", "1000H", "99999999H", "99999999M", "35791395M", "2147484S"])(
    "lets a call with a deadline in %s go on",
    async (timeout) => {
      const { port } = await startEcho({ say: () => sleep(20, { value: "tere" }) });
      const session = connect(`http://127.0.0.1:${port}`);
      ends.push(() => session.close());
      const call = session.request({
        ":method": "POST",
        ":path": "/test.EchoService/Say",
        "content-type": "application/grpc",
        te: "trailers",
        "grpc-timeout": timeout,
      });
      call.end(Buffer.alloc(5));
      call.resume();
      const [{ "grpc-status": status }] = await once(call, "trailers");
      expect(status).toBe("0");
    },
  );

  test("shows nothing of an error that no interceptor turned into a refusal", async () => {
    const bare = createServiceImplSpec<typeof EchoService>(EchoService, {
      say: () => {
        throw new Error("person 38001085718");
      },
    });
    core = await startCore([bare]);
    const error = await rejectionOf(clientOf(core).say({}));
    expect(error.code).toBe(Code.Internal);
    expect(error.rawMessage).toBe("internal error");
  });

  test("sends a refusal with any text, a broken one too", async () => {
    const bare = createServiceImplSpec<typeof EchoService>(EchoService, {
      say: () => {
        throw new ConnectError(`half a pair \ud83c and õ ${"x".repeat(9_000)}`, Code.NotFound);
      },
    });
    core = await startCore([bare]);
    const error = await rejectionOf(clientOf(core).say({}));
    expect(error.code).toBe(Code.NotFound);
    expect(error.rawMessage).toMatch(/^half a pair \ufffd and õ x+$/);
  });
});
