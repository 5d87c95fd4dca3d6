import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { runsSandbox } from "../src/composition/register-addresses.ts";
import { parseSettings, type Settings } from "../src/config.ts";
import { startSandbox } from "../src/sandbox/index.ts";
import { startService as start } from "../src/service.ts";
import { trusts } from "./callers.ts";
import { createTestDatabase } from "./database.ts";

const PEOPLE = join(import.meta.dirname, "../src/sandbox/people.json");

export interface RunningService {
  /** Base of HTTP, such as http://127.0.0.1:41234. */
  readonly url: string;
  readonly grpcPort: number;
  readonly databaseUrl: string;
  /** Base of the sandbox that stands in for the registers. */
  readonly sandboxUrl: string;
  /** Where its metrics are; empty when it has none. */
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

/** The whole service on free ports, with a database and keys of its own. */
export async function startService(
  overrides: Partial<Settings> = {},
  log: Logger = pino({ level: "silent" }),
): Promise<RunningService> {
  const database = await createTestDatabase();
  const dataDirectory = await mkdtemp(join(tmpdir(), "patient-index-"));
  const settings: Settings = {
    ...parseSettings({}),
    httpPort: 0,
    grpcPort: 0,
    sandboxPort: 0,
    databaseUrl: database.url,
    databasePool: 8,
    dataDirectory,
    defaultLanguage: "en",
    callerRate: 0,
    shutdownLastRequests: 0,
    ...overrides,
  };
  const issuer = await issuerFor(settings);
  let metricsUrl = "";
  const service = await start({
    settings: { ...settings, ...issuer?.settings },
    log,
    progress: (step) => {
      metricsUrl = /^Metrics are at (\S+)$/.exec(step)?.[1] ?? metricsUrl;
    },
    withGateway: true,
  });
  const sandboxUrl = service.sandboxUrl ?? "";
  const issuerUrl = issuer?.url ?? sandboxUrl;
  for (const origin of [`http://127.0.0.1:${service.httpPort}`, `127.0.0.1:${service.grpcPort}`]) {
    trusts(origin, issuerUrl);
  }
  return {
    url: `${settings.httpCertificate ? "https" : "http"}://127.0.0.1:${service.httpPort}`,
    grpcPort: service.grpcPort,
    databaseUrl: database.url,
    sandboxUrl,
    metricsUrl,
    async stop() {
      await service.stop();
      await issuer?.stop();
      await database.drop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

/** A sandbox for its tokens alone, where the service runs none and the test names no issuer. */
async function issuerFor(settings: Settings) {
  if (runsSandbox(settings) || settings.jwksUrl !== undefined) return undefined;
  const { url, tokens, stop } = await startSandbox({ host: "127.0.0.1", port: 0, dataFile: PEOPLE });
  return { url, stop, settings: { jwksUrl: tokens.jwksUrl, tokenIssuer: tokens.issuer } };
}
