import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, onServer, type TestDatabase } from "../database.ts";
import { type RunningService, startService } from "../service.ts";
import { WayToDatabase } from "../way-to-database.ts";
import { send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

let database: TestDatabase;
let way: WayToDatabase;
let service: RunningService;

beforeAll(async () => {
  database = await createTestDatabase();
  way = await WayToDatabase.to(database.url);
  service = await startService({ databaseUrl: way.url });
});

afterAll(async () => {
  await way.mend();
  await service.stop();
  await way.cut();
  await database.drop();
});

it("connections that the server ends under way fail their requests alone", async () => {
  const body = () => JSON.stringify(inventedPatient());
  const created = await send(`${service.url}/fhir/Patient`, { method: "POST", body: body() });
  const url = `${service.url}/fhir/Patient`;
  let isOver = false;
  const asks: readonly (() => Promise<number[]>)[] = [
    async () => [(await send(`${url}/${created.json.id}`)).status],
    async () => [(await send(url, { method: "POST", body: body() })).status],
    () => statusesOfBatch(10),
  ];
  const asking = Array.from({ length: 9 }, async (_, n) => {
    const statuses = new Set<number>();
    while (!isOver) for (const status of (await asks[n % 3]?.()) ?? []) statuses.add(status);
    return statuses;
  });
  for (let round = 0; round < 20; round++) {
    await onServer(database.url, (client) =>
      client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
      ),
    );
  }
  isOver = true;
  const statuses = new Set((await Promise.all(asking)).flatMap((one) => [...one]));
  expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
  // The last of them may still be about to end.
  const readAgain = async () => (await send(`${url}/${created.json.id}`)).status;
  await expect.poll(readAgain).toBe(200);
});

it("requests are told to come back while the database is away, and served when it is back", async () => {
  const body = JSON.stringify(inventedPatient());
  const created = await send(`${service.url}/fhir/Patient`, { method: "POST", body });
  expect(created.status).toBe(201);
  const url = `${service.url}/fhir/Patient/${created.json.id}`;
  await way.cut();
  const update = { ...created.json, gender: "male" };
  const refused = await Promise.all([
    send(url),
    send(`${url}/_history`),
    send(url, { method: "PUT", body: JSON.stringify(update) }),
  ]);
  expect(await statusesOfBatch(3)).toEqual([503, 503, 503]);
  for (const { status, headers, json } of refused) {
    expect(status).toBe(503);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(json.issue).toMatchObject([{ code: "transient", details: { coding: [{ code: "MPI-400" }] } }]);
  }
  await way.mend();
  const { status, json } = await send(url);
  expect([status, json.meta.versionId]).toEqual([200, "1"]);
  expect(await statusesOfBatch(3)).toEqual([201, 201, 201]);
});

/** What a batch says of each of so many patients that it is to create. */
async function statusesOfBatch(patients: number): Promise<number[]> {
  const entry = Array.from({ length: patients }, () => ({
    resource: inventedPatient(),
    request: { method: "POST", url: "Patient" },
  }));
  const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry });
  const { json } = await send(`${service.url}/fhir`, { method: "POST", body });
  return json.entry.map(({ response }: { response: { status: string } }) =>
    Number(response.status.slice(0, 3)),
  );
}
