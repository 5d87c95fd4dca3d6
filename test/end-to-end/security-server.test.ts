import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { parseSettings } from "../../src/config.ts";
import { registerClients } from "../../src/grpc/registers/register-clients.ts";
import { startRegisters } from "../../src/service.ts";
import { type Certificate, hasOpenssl, selfSigned } from "../certificates.ts";
import { createTestDatabase } from "../database.ts";
import { codesIn, send } from "../gateway/http-client.ts";
import { startStandIn } from "../registers/register-stand-in.ts";
import { startService } from "../service.ts";

const personalCode = "47605030299";
const person = { personalCode, givenNames: ["Mari"], familyName: "Maasikas", sex: "female" };

describe.runIf(hasOpenssl)("a register behind a security server that demands a certificate", () => {
  let folder: string;
  let own: Certificate;
  let mpi: Certificate;
  let stranger: Certificate;
  let securityServer: Awaited<ReturnType<typeof startStandIn>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mpi-xroad-"));
    own = await selfSigned(folder, "security-server");
    mpi = await selfSigned(folder, "mpi");
    stranger = await selfSigned(folder, "stranger");
    securityServer = await startStandIn({
      cert: own.certificate,
      key: own.key,
      ca: mpi.certificate,
      requestCert: true,
    });
    securityServer.says({ person });
  });
  afterAll(async () => {
    await securityServer.stop();
    await rm(folder, { recursive: true });
  });

  /** The settings of a process that asks it with these certificates. */
  function settingsWith(authority: Certificate | undefined, pair: Certificate | undefined) {
    const environment = {
      MPI_RR_URL: securityServer.addresses.rr,
      MPI_XROAD_TLS_CA: authority?.certificateFile,
      MPI_XROAD_TLS_CERTIFICATE: pair?.certificateFile,
      MPI_XROAD_TLS_KEY: pair?.keyFile,
    };
    const { rrUrl, xRoadAuthority, xRoadCertificate, xRoadKey } = parseSettings(environment);
    return { rrUrl, xRoadAuthority, xRoadCertificate, xRoadKey };
  }

  /** What a service that asks it so answers about somebody whom it does not know yet, and the codes of causes in its log. */
  async function askedBy(settings: ReturnType<typeof settingsWith>) {
    const lines: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
    const service = await startService({ ...settings, authorCheck: false }, log);
    try {
      const identifier = `https://fhir.ee/sid/pid/est/ni%7C${personalCode}`;
      const { status, json } = await send(`${service.url}/fhir/Patient?identifier=${identifier}`);
      const causes = lines.flatMap((line): { code?: string }[] => JSON.parse(line).causes ?? []);
      return { status, total: json.total, codes: codesIn(json), causes: causes.map(({ code }) => code) };
    } finally {
      await service.stop();
    }
  }

  const unreachable = { status: 503, codes: ["MPI-029", "XRR100"] };

  it("answers a service that shows its own", async () => {
    expect(await askedBy(settingsWith(own, mpi))).toMatchObject({ status: 200, total: 1 });
  });

  it("answers adapters apart that show their own", async () => {
    const database = await createTestDatabase();
    const settings = { ...parseSettings({}), ...settingsWith(own, mpi) };
    const adapters = await startRegisters({
      settings: {
        ...settings,
        databaseUrl: database.url,
        dataDirectory: folder,
        registersPort: 0,
        sandboxPort: 0,
      },
      log: pino({ level: "silent" }),
      progress: () => undefined,
    });
    const transport = createRemoteTransport({ target: `127.0.0.1:${adapters.grpcPort}` });
    try {
      const { population } = registerClients({ transport, timeoutMs: 60_000 });
      expect(await population.readPerson({ personalCode, noCache: false })).toMatchObject(person);
    } finally {
      transport.close();
      await adapters.stop();
      await database.drop();
    }
  });

  it("is away for a service that shows none, whose log says why", async () => {
    const answer = await askedBy(settingsWith(own, undefined));
    expect(answer).toMatchObject(unreachable);
    expect(answer.causes).toContain("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED");
  });

  it("is away for a service that shows another one", async () => {
    expect(await askedBy(settingsWith(own, stranger))).toMatchObject(unreachable);
  });

  it("is away for a service that does not trust it, whose log says why", async () => {
    for (const authority of [undefined, stranger]) {
      const answer = await askedBy(settingsWith(authority, mpi));
      expect(answer).toMatchObject(unreachable);
      expect(answer.causes).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
    }
  });

  it("has the log warn of registers at http addresses, unless they are on this machine", async () => {
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const service = await startService(
      {
        ...settingsWith(own, undefined),
        adsUrl: "http://xroad.example.ee/r1/EE/GOV/70003098/ads",
        torUrl: "http://127.0.0.1:1/r1/EE/GOV/70000349/tor",
      },
      log,
    );
    await service.stop();
    const warning = lines.map((line) => JSON.parse(line)).find(({ settings }) => settings !== undefined);
    expect(warning).toMatchObject({ settings: ["MPI_ADS_URL"], msg: expect.stringContaining("plain text") });
  });
});
