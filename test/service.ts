import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { parseSettings, type Settings } from "../src/config.ts";
import { startService as start } from "../src/service.ts";
import { createTestDatabase } from "./database.ts";

export interface RunningService {
  /** Base of HTTP, such as http://127.0.0.1:41234. */
  readonly url: string;
  readonly grpcPort: number;
  readonly databaseUrl: string;
  /** Base of the sandbox that stands in for the registers. */
  readonly sandboxUrl: string;
  stop(): Promise<void>;
}

/** The whole service on free ports, with a database and keys of its own. */
export async function startService(overrides: Partial<Settings> = {}): Promise<RunningService> {
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
    ...overrides,
  };
  const service = await start({
    settings,
    log: pino({ level: "silent" }),
    progress: () => {},
    withGateway: true,
  });
  return {
    url: `${settings.httpCertificate ? "https" : "http"}://127.0.0.1:${service.httpPort}`,
    grpcPort: service.grpcPort,
    databaseUrl: database.url,
    sandboxUrl: service.sandboxUrl ?? "",
    async stop() {
      await service.stop();
      await database.drop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}
