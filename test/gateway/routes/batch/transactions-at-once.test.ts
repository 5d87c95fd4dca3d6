import { afterAll, beforeAll, expect, it } from "vitest";
import { trusts } from "../../../callers.ts";
import { onServer } from "../../../database.ts";
import { type RunningService, startService } from "../../../service.ts";
import { send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";
import { type StartedGateway, startGatewayApart } from "../../started-gateway.ts";

/** Of which transactions may hold six. */
const databasePool = 8;
const MOST_AT_ONCE = 6;

let service: RunningService;
/** Gives a call little time, so that nobody waits long. */
let impatient: StartedGateway;

beforeAll(async () => {
  service = await startService({ databasePool });
  impatient = await startGatewayApart(`127.0.0.1:${service.grpcPort}`, { callTimeoutMs: 9_000 });
  trusts(impatient.url, service.sandboxUrl);
});

afterAll(async () => {
  await impatient.stop();
  await service.stop();
});

type Json = Record<string, unknown>;

function transaction(base: string, method: string, url: string, resource: Json) {
  const bundle = {
    resourceType: "Bundle",
    type: "transaction",
    entry: [{ resource, request: { method, url } }],
  };
  return send(`${base}/fhir`, { method: "POST", body: JSON.stringify(bundle) });
}

async function waitingForLocks(): Promise<number> {
  return await onServer(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0].n;
  });
}

it("transactions leave connections to others, and one that would wait too long is told when to come back", async () => {
  const patient = inventedPatient();
  const { json: stored } = await send(`${service.url}/fhir/Patient`, {
    method: "POST",
    body: JSON.stringify(patient),
  });
  const other = inventedPatient();
  await onServer(service.databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT id FROM patient WHERE id = $1 FOR UPDATE", [stored.id]);
    const held = Array.from({ length: MOST_AT_ONCE }, () =>
      transaction(service.url, "PUT", `Patient/${stored.id}`, { ...patient, id: stored.id }),
    );
    await expect.poll(waitingForLocks).toBe(MOST_AT_ONCE);
    const refused = await transaction(impatient.url, "POST", "Patient", other);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.json.issue[0]).toMatchObject({
      code: "throttled",
      details: { coding: [{ code: "MPI-400" }] },
    });
    expect((await send(`${service.url}/fhir/Patient/${stored.id}`)).status).toBe(200);
    const waiting = transaction(service.url, "POST", "Patient", other);
    await client.query("COMMIT");
    const answers = await Promise.all([...held, waiting]);
    expect(answers.map(({ status }) => status)).toEqual(Array(MOST_AT_ONCE + 1).fill(200));
  });
});
