import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../../src/storage/connection/database.ts";
import { openPatientLoader, patientStore, unitOfWork } from "../../../src/storage/index.ts";
import { copyDatabase, createTestDatabase, type TestDatabase } from "../../database.ts";
import { send } from "../../gateway/http-client.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { startService } from "../../service.ts";
import { fixedKeys, newIndexKeys } from "../index-keys.ts";
import { somebody } from "./store.ts";

const NOW = new Date("2026-06-01T12:00:00.000Z");

type Way = "create" | "unit of work" | "load";

const ring = fixedKeys(newIndexKeys());
let served: TestDatabase;

beforeAll(async () => {
  served = await createTestDatabase();
});

afterAll(async () => {
  await served.drop();
});

it.each<Way>(["create", "unit of work", "load"])(
  "ids given after a backup are not given again when it is put back: %s",
  async (way) => {
    await idsGiven(served, "create");
    const backup = await copyDatabase(served);
    try {
      const lost = [...(await idsGiven(served, "create")), ...(await idsGiven(served, "load", 3))];
      const [first = 0n] = await idsGiven(backup, way);
      expect(lost.filter((id) => id >= first)).toEqual([]);
      // Once is enough, whatever is asked next.
      const next = [...(await idsGiven(backup, way, 2)), ...(await idsGiven(backup, "create"))];
      expect(next.filter((id) => id <= first || id > first + 1_000n)).toEqual([]);
    } finally {
      await backup.drop();
    }
  },
);

it("ids that may be lost are passed over once, at the start: not by each request that stores nothing", async () => {
  const [last = 0n] = await idsGiven(served, "create");
  const backup = await copyDatabase(served);
  const service = await startService({ databaseUrl: backup.url });
  try {
    for (let request = 0; request < 3; request++) {
      const answer = await posted(`${service.url}/fhir/Patient/$validate`);
      expect(answer.status).toBe(200);
    }
    const { json } = await posted(`${service.url}/fhir/Patient`);
    const given = BigInt(json.id) - last;
    expect(given > 1_000_000n && given < 1_001_000n, `${given} behind the last`).toBe(true);
  } finally {
    await service.stop();
    await backup.drop();
  }
});

it("a database that was never anywhere else has no gap", async () => {
  const ids = [...(await idsGiven(served, "create")), ...(await idsGiven(served, "load"))];
  expect(ids.filter((id) => id > 10_000n)).toEqual([]);
});

function posted(url: string) {
  return send(url, { method: "POST", body: JSON.stringify(inventedPatient()) });
}

/** The ids of so many new patients, stored by a process of its own. */
async function idsGiven({ url }: TestDatabase, way: Way, count = 1): Promise<bigint[]> {
  const database = openDatabase({ url, poolSize: 4, preparedStatements: true, onConnectionError: () => {} });
  const loader = openPatientLoader({ url, database, keys: ring, connections: 1, preparedStatements: true });
  const store = patientStore(database, ring);
  const people = Array.from({ length: count }, () => somebody());
  const unit = unitOfWork(database, ring);
  const create = () => Promise.all(people.map((person) => store.create(person, NOW)));
  const load = async () =>
    (await loader.load(people, NOW)).flatMap((record) => ("patient" in record ? [record.patient] : []));
  // Or its end would not close what is sent past Prisma.
  await database.$connect();
  try {
    const patients = await (way === "load" ? load() : way === "create" ? create() : unit.run(create));
    return patients.map(({ id = "" }) => BigInt(id));
  } finally {
    await loader.close();
    await database.$disconnect();
  }
}
