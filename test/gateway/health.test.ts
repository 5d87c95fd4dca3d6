import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { onServer } from "../database.ts";
import { type RunningService, startService } from "../service.ts";
import { send } from "./http-client.ts";

let service: RunningService;
let database: string;

beforeAll(async () => {
  service = await startService();
  database = new URL(service.databaseUrl).pathname.slice(1);
});

afterAll(() => service.stop());

describe("a service whose database is away", () => {
  it("lives, is not ready meanwhile, and is ready again by itself", async () => {
    expect((await send(`${service.url}/health/ready`)).status).toBe(200);
    await allowConnections(false);
    const away = await send(`${service.url}/health/ready`, { headers: { "accept-language": "en" } });
    expect(away.status).toBe(503);
    expect(away.headers.get("retry-after")).not.toBeNull();
    expect(away.json.resourceType).toBe("OperationOutcome");
    expect((await send(`${service.url}/health/live`)).status).toBe(200);
    await allowConnections(true);
    expect((await send(`${service.url}/health/ready`)).status).toBe(200);
  });
});

async function allowConnections(allowed: boolean): Promise<void> {
  await onServer(inject("testServer").url, async (client) => {
    await client.query(`ALTER DATABASE "${database}" WITH ALLOW_CONNECTIONS ${allowed}`);
    if (allowed) return;
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
      database,
    ]);
  });
}
