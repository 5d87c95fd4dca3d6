import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { watchCertificates } from "../../src/metrics/index.ts";
import { type Certificate, hasOpenssl, selfSigned } from "../certificates.ts";
import { startService } from "../service.ts";
import { startGatewayAlone } from "./gateway-alone.ts";
import { scraped } from "./scraped.ts";

const DAY_MS = 86_400_000;
const METRIC = "mpi_certificate_expiry_timestamp_seconds";

describe.runIf(hasOpenssl)("certificates that expire", () => {
  let folder: string;
  let twoDays: Certificate;
  let tenYears: Certificate;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mpi-ends-"));
    twoDays = await selfSigned(folder, "near", 2);
    tenYears = await selfSigned(folder, "far", 3_650);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("are told of by the log and the metrics of a service, each by its setting", async () => {
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const settings = parseSettings({
      MPI_HTTP_TLS_CERTIFICATE: twoDays.certificateFile,
      MPI_HTTP_TLS_KEY: twoDays.keyFile,
      MPI_GRPC_TLS_CERTIFICATE: tenYears.certificateFile,
      MPI_GRPC_TLS_KEY: tenYears.keyFile,
      MPI_XROAD_TLS_CA: tenYears.certificateFile,
    });
    const { httpCertificate, httpKey, grpcCertificate, grpcKey, xRoadAuthority } = settings;
    const service = await startService(
      { httpCertificate, httpKey, grpcCertificate, grpcKey, xRoadAuthority, metricsPort: 0 },
      log,
    );
    const samples = await scraped(service.metricsUrl);
    await service.stop();

    const daysLeft = (setting: string) =>
      Math.round(((samples.get(`${METRIC}{setting="${setting}"}`) ?? 0) * 1000 - Date.now()) / DAY_MS);
    expect(daysLeft("MPI_HTTP_TLS_CERTIFICATE")).toBe(2);
    expect(daysLeft("MPI_GRPC_TLS_CERTIFICATE")).toBe(3_650);
    expect(daysLeft("MPI_XROAD_TLS_CA")).toBe(3_650);
    const told = lines.filter((line) => line.includes("a certificate"));
    expect(told).toEqual([expect.stringContaining('"setting":"MPI_HTTP_TLS_CERTIFICATE"')]);
    expect(told[0]).toContain("a certificate expires soon");
  });

  it("are told of by a gateway apart; of a file with several the first to expire", async () => {
    const both = join(folder, "both.crt");
    await appendFile(both, tenYears.certificate);
    await appendFile(both, await readFile(twoDays.certificateFile));
    const { gateway, metricsUrl } = await startGatewayAlone({ MPI_GRPC_TLS_CA: both });
    try {
      const samples = await scraped(metricsUrl);
      const endsAt = (samples.get(`${METRIC}{setting="MPI_GRPC_TLS_CA"}`) ?? 0) * 1000;
      expect(Math.round((endsAt - Date.now()) / DAY_MS)).toBe(2);
    } finally {
      await gateway.stop();
    }
  });
});

it("a certificate is looked at once a day, and one that has expired is an error", async () => {
  vi.useFakeTimers({ now: new Date("2026-06-01T00:00:00Z") });
  const log = { warn: vi.fn(), error: vi.fn() };
  const beginsAt = new Date("2026-05-01T00:00:00Z");
  const endsAt = new Date("2026-07-02T12:00:00Z");
  const stop = watchCertificates([{ setting: "MPI_HTTP_TLS_CERTIFICATE", beginsAt, endsAt }], { log });
  try {
    expect(log.warn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2 * DAY_MS);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { setting: "MPI_HTTP_TLS_CERTIFICATE", endsAt: "2026-07-02T12:00:00.000Z" },
      "a certificate expires soon",
    );
    vi.advanceTimersByTime(29 * DAY_MS);
    expect(log.error).not.toHaveBeenCalled();
    vi.advanceTimersByTime(DAY_MS);
    expect(log.error).toHaveBeenCalledExactlyOnceWith(expect.anything(), "a certificate has expired");
  } finally {
    await stop();
    vi.useRealTimers();
  }
});

it("a certificate that is not valid yet is told of until it is", async () => {
  vi.useFakeTimers({ now: new Date("2026-06-01T00:00:00Z") });
  const log = { warn: vi.fn(), error: vi.fn() };
  const [beginsAt, endsAt] = [new Date("2026-06-02T00:00:00Z"), new Date("2027-06-02T00:00:00Z")];
  const stop = watchCertificates([{ setting: "MPI_GRPC_TLS_CA", beginsAt, endsAt }], { log });
  try {
    vi.advanceTimersByTime(3 * DAY_MS);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { setting: "MPI_GRPC_TLS_CA", beginsAt: "2026-06-02T00:00:00.000Z" },
      "a certificate is not valid yet",
    );
    expect(log.error).not.toHaveBeenCalled();
  } finally {
    await stop();
    vi.useRealTimers();
  }
});
