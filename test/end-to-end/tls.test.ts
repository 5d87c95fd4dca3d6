import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { type Gateway, startGateway } from "../../gateway/server.ts";
import { parseGatewaySettings } from "../../gateway/settings.ts";
import type { ClientTls } from "../../gateway/transport/remote/channels.ts";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { parseSettings } from "../../src/config.ts";
import { startRegisters } from "../../src/service.ts";
import { clientTls, httpTls } from "../../src/settings/tls-settings.ts";
import { type Certificate, hasOpenssl, selfSigned } from "../certificates.ts";
import { createTestDatabase } from "../database.ts";
import { type RunningService, startService } from "../service.ts";
import { startProcess } from "./service-process.ts";

describe.runIf(hasOpenssl)("a core and a gateway with certificates", () => {
  let folder: string;
  let environment: Record<string, string>;
  let own: Certificate;
  let service: RunningService;
  let gateway: Gateway;
  let transport: RemoteTransport;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mpi-tls-"));
    own = await selfSigned(folder, "localhost");
    environment = {
      MPI_HTTP_TLS_CERTIFICATE: own.certificateFile,
      MPI_HTTP_TLS_KEY: own.keyFile,
      MPI_GRPC_TLS_CERTIFICATE: own.certificateFile,
      MPI_GRPC_TLS_KEY: own.keyFile,
      MPI_GRPC_TLS_CA: own.certificateFile,
    };
    const { httpCertificate, httpKey, grpcCertificate, grpcKey, grpcAuthority } = parseSettings(environment);
    service = await startService({ httpCertificate, httpKey, grpcCertificate, grpcKey, grpcAuthority });
    const settings = parseGatewaySettings(environment);
    const [tls, coreTls] = [httpTls(settings), clientTls(settings)];
    transport = createRemoteTransport({
      target: `localhost:${service.grpcPort}`,
      ...(coreTls && { tls: coreTls }),
    });
    gateway = await startGateway({
      ...settings,
      host: "127.0.0.1",
      port: 0,
      transport,
      connectServices: [],
      ...(tls && { tls }),
      publicUrl: "https://mpi.example.ee",
      log: pino({ level: "silent" }),
    });
  });
  afterAll(async () => {
    await gateway.stop({ graceMs: 1_000, lastRequestsMs: 0 });
    transport.close();
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function adaptersApart() {
    const database = await createTestDatabase();
    const settings = { ...parseSettings(environment), databaseUrl: database.url, registersPort: 0 };
    const { grpcPort, stop } = await startRegisters({
      settings: { ...settings, sandboxPort: 0, dataDirectory: folder },
      log: pino({ level: "silent" }),
      progress: () => undefined,
    });
    return { grpcPort, stop: () => stop().then(database.drop) };
  }

  function get(url: string): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { ca: own.certificate }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject).end();
    });
  }

  it("speak HTTPS, with links that say so", async () => {
    const { status, text } = await get(`${service.url}/fhir/StructureDefinition`);
    expect(status).toBe(200);
    expect(JSON.parse(text).link[0].url).toMatch(/^https:\/\/127\.0\.0\.1:/);
  });

  it("say at the start that it is HTTPS", async () => {
    const database = await createTestDatabase();
    const process = await startProcess(folder, database.url, {
      MPI_HTTP_TLS_CERTIFICATE: own.certificateFile,
      MPI_HTTP_TLS_KEY: own.keyFile,
    });
    try {
      expect((await get(`${process.url}/health/live`)).status).toBe(200);
    } finally {
      await process.stop();
      await database.drop();
    }
  });

  it("know each other over gRPC", async () => {
    const { status } = await get(`https://127.0.0.1:${gateway.port}/health/ready`);
    expect(status).toBe(200);
  });

  it.each(["core", "register adapters apart"])(
    "do not speak with who shows no certificate: the %s",
    async (who) => {
      const adapters = who === "core" ? undefined : await adaptersApart();
      const port = adapters?.grpcPort ?? service.grpcPort;
      const { readPatient } = PatientService.method;
      const codeFor = async (tls: ClientTls) => {
        const caller = createRemoteTransport({ target: `localhost:${port}`, tls });
        const answer = caller.unary(readPatient, undefined, 60_000, undefined, { id: "1" });
        const code = await answer.then(
          () => undefined,
          (error: unknown) => ConnectError.from(error).code,
        );
        caller.close();
        return code;
      };
      expect(await codeFor({ ca: own.certificate })).toBe(Code.Unavailable);
      expect(await codeFor({ ca: own.certificate, certificate: own.certificate, key: own.key })).not.toBe(
        Code.Unavailable,
      );
      await adapters?.stop();
    },
  );
});

describe("settings of TLS that cannot be used stop the start", () => {
  it("a certificate without its key", () => {
    const environment = { MPI_GRPC_TLS_CERTIFICATE: import.meta.filename };
    const message = /MPI_GRPC_TLS_CERTIFICATE and MPI_GRPC_TLS_KEY must be set together/;
    expect(() => parseSettings(environment)).toThrow(message);
    expect(() => parseGatewaySettings(environment)).toThrow(message);
  });

  it("a file that is not there, or is no PEM", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mpi-tls-"));
    const file = join(folder, "note.txt");
    await writeFile(file, "no certificate");
    for (const parse of [parseSettings, parseGatewaySettings]) {
      expect(() => parse({ MPI_GRPC_TLS_CA: `${file}.gone` })).toThrow(/MPI_GRPC_TLS_CA .*ENOENT/);
      expect(() => parse({ MPI_GRPC_TLS_CA: file })).toThrow(/MPI_GRPC_TLS_CA must be a certificate in PEM/);
    }
    await rm(folder, { recursive: true });
  });
});
