import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ClientTls } from "../../gateway/transport/remote/channels.ts";
import { createRemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { type GrpcServer, startGrpcServer } from "../../src/grpc/server.ts";
import { type Certificate, hasOpenssl, selfSigned } from "../certificates.ts";
import { EchoService, echoSpec } from "./echo-service.ts";
import { rejectionOf } from "./refusals.ts";

describe.runIf(hasOpenssl)("a core that demands a certificate", () => {
  let folder: string;
  let core: GrpcServer;
  let own: Certificate;
  let gateway: Certificate;
  let stranger: Certificate;
  const ends: (() => unknown)[] = [];
  const lines: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mpi-tls-"));
    own = await selfSigned(folder, "core");
    gateway = await selfSigned(folder, "gateway");
    stranger = await selfSigned(folder, "stranger");
    core = await startCore();
  });
  afterAll(async () => {
    for (const end of ends) end();
    await core.stop(0);
    await rm(folder, { recursive: true });
  });

  function startCore(): Promise<GrpcServer> {
    return startGrpcServer({
      host: "0.0.0.0",
      port: 0,
      services: [echoSpec({ say: (request) => request })],
      log: pino({ level: "warn" }, { write: (line: string) => lines.push(line) }),
      tls: { certificate: own.certificate, key: own.key, clientCa: gateway.certificate },
    });
  }

  function call(tls: ClientTls, host = "127.0.0.1", port = core.port): Promise<{ value: string }> {
    const transport = createRemoteTransport({ target: `${host}:${port}`, tls });
    ends.push(() => transport.close());
    return createClient(EchoService, transport).say({ value: "tere" }, { timeoutMs: 60_000 });
  }

  test("serves the gateway that shows the right one", async () => {
    const tls = { ca: own.certificate, certificate: gateway.certificate, key: gateway.key };
    expect((await call({ ...tls, serverName: "core.test" })).value).toBe("tere");
  });

  test("is known by the address or the name that it is called by, and by no other", async () => {
    const tls = { ca: own.certificate, certificate: gateway.certificate, key: gateway.key };
    for (const host of ["127.0.0.1", "ipv4:127.0.0.1", "localhost"]) {
      expect((await call(tls, host)).value).toBe("tere");
    }
    expect((await rejectionOf(call(tls, "127.0.0.2"))).code).toBe(Code.Unavailable);
    expect((await rejectionOf(call({ ...tls, serverName: "other.test" }))).code).toBe(Code.Unavailable);
  });

  test("refuses those without one, or with another", async () => {
    const ca = own.certificate;
    expect((await rejectionOf(call({ ca }))).code).toBe(Code.Unavailable);
    const other = { ca, certificate: stranger.certificate, key: stranger.key };
    expect((await rejectionOf(call(other))).code).toBe(Code.Unavailable);
  });

  test("logs once why, which they are not told, and nothing of those who look whether the port is open", async () => {
    lines.length = 0;
    const ca = own.certificate;
    const another = { ca, certificate: stranger.certificate, key: stranger.key };
    const other = await startCore();
    for (const tls of [{ ca }, another, another]) await rejectionOf(call(tls, "127.0.0.1", other.port));
    const probe = connect(other.port, "127.0.0.1");
    await once(probe, "connect");
    probe.destroy();
    const told = () => lines.map((line) => JSON.parse(line)).map(({ msg, reason }) => [msg, reason]);
    await vi.waitFor(() => expect(told()).toHaveLength(2));
    await other.stop(0);
    expect(told()).toEqual([
      ["a TLS handshake was refused", "ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE"],
      ["a TLS handshake was refused", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ]);
  });

  test("is not trusted by a gateway that expects another core", async () => {
    const tls = { ca: stranger.certificate, certificate: gateway.certificate, key: gateway.key };
    expect((await rejectionOf(call(tls))).code).toBe(Code.Unavailable);
  });
});
