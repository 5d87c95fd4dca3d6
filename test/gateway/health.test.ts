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
    const readiness = async () => (await send(`${service.url}/health/ready`)).status;
    await expect.poll(readiness).toBe(200);
    await allowConnections(false);
    const away = await send(`${service.url}/health/ready`, { headers: { "accept-language": "en" } });
    expect(away.status).toBe(503);
    expect(away.headers.get("retry-after")).not.toBeNull();
    expect(away.json.resourceType).toBe("OperationOutcome");
    expect((await send(`${service.url}/health/live`)).status).toBe(200);
    await allowConnections(true);
    await expect.poll(readiness).toBe(200);
  });
});

describe("a service without the keys that the database is sealed with by now", () => {
  it("is not ready and tells callers to come back, until it has them", async () => {
    const statuses = async () => [
      (await send(`${service.url}/health/ready`)).status,
      (await send(`${service.url}/fhir/Patient/1`)).status,
    ];
    const patience = { interval: 250 };
    expect(await statuses()).toEqual([200, 404]);
    await onServer(service.databaseUrl, async (client) => {
      await client.query("UPDATE index_key SET state = 'retired'");
      await client.query(
        "INSERT INTO index_key (key_id, state, created_at) VALUES ('another', 'primary', now())",
      );
    });
    await expect.poll(statuses, patience).toEqual([503, 503]);
    expect((await send(`${service.url}/health/live`)).status).toBe(200);
    await onServer(service.databaseUrl, async (client) => {
      await client.query("DELETE FROM index_key WHERE key_id = 'another'");
      await client.query("UPDATE index_key SET state = 'primary'");
    });
    await expect.poll(statuses, patience).toEqual([200, 404]);
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
