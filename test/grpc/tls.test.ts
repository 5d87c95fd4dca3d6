import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Code, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClientTls } from "../../gateway/transport/channels.ts";
import { createRemoteTransport } from "../../gateway/transport/remote.ts";
import { type GrpcServer, startGrpcServer } from "../../src/grpc/server.ts";
import { EchoService, echoSpec } from "./echo-service.ts";
import { rejectionOf } from "./refusals.ts";

const run = promisify(execFile);
const hasOpenssl = await run("openssl", ["version"]).then(
  () => true,
  () => false,
);

describe.runIf(hasOpenssl)("a core that demands a certificate", () => {
  let folder: string;
  let core: GrpcServer;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mpi-tls-"));
    await selfSigned("core");
    await selfSigned("gateway");
    await selfSigned("stranger");
    core = await startGrpcServer({
      host: "127.0.0.1",
      port: 0,
      services: [echoSpec({ say: (request) => request })],
      log: pino({ level: "silent" }),
      tls: {
        certificate: await pem("core.crt"),
        key: await pem("core.key"),
        clientCa: await pem("gateway.crt"),
      },
    });
  });
  afterAll(async () => {
    for (const end of ends) end();
    await core.stop(0);
    await rm(folder, { recursive: true });
  });

  async function selfSigned(name: string): Promise<void> {
    const out = (ending: string) => join(folder, `${name}.${ending}`);
    await run("openssl", [
      ...[
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
      ],
      ...["-subj", "/CN=core.test", "-addext", "subjectAltName=DNS:core.test"],
      ...["-keyout", out("key"), "-out", out("crt")],
    ]);
  }

  function pem(file: string): Promise<Buffer> {
    return readFile(join(folder, file));
  }

  function call(tls: ClientTls): Promise<{ value: string }> {
    const transport = createRemoteTransport({
      target: `127.0.0.1:${core.port}`,
      tls: { ...tls, serverName: "core.test" },
    });
    ends.push(() => transport.close());
    return createClient(EchoService, transport).say({ value: "tere" }, { timeoutMs: 5_000 });
  }

  test("serves the gateway that shows the right one", async () => {
    const tls = {
      ca: await pem("core.crt"),
      certificate: await pem("gateway.crt"),
      key: await pem("gateway.key"),
    };
    expect((await call(tls)).value).toBe("tere");
  });

  test("refuses those without one, or with another", async () => {
    const ca = await pem("core.crt");
    expect((await rejectionOf(call({ ca }))).code).toBe(Code.Unavailable);
    const stranger = { ca, certificate: await pem("stranger.crt"), key: await pem("stranger.key") };
    expect((await rejectionOf(call(stranger))).code).toBe(Code.Unavailable);
  });

  test("is not trusted by a gateway that expects another core", async () => {
    const tls = {
      ca: await pem("stranger.crt"),
      certificate: await pem("gateway.crt"),
      key: await pem("gateway.key"),
    };
    expect((await rejectionOf(call(tls))).code).toBe(Code.Unavailable);
  });
});
