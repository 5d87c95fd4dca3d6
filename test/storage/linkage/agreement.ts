import { expect } from "vitest";
import { deliverNotifications } from "../../../src/linkage/deliver-notifications.ts";
import { readPatientVersion, searchPatients } from "../../../src/patients/index.ts";
import type { LinkageNotification } from "../../../src/registers/ports.ts";
import { notificationQueue } from "../../../src/storage/index.ts";
import { onServer } from "../../database.ts";
import type { LinkModel } from "../../linkage/link-model.ts";
import { wmReceiver } from "../../linkage/wm-receiver.ts";
import { PID } from "../../patients/examples.ts";
import type { StoreUnderTest } from "../patients/store.ts";
import { type LinkageUnderTest, linksOf, valuesOf } from "./linked-patients.ts";

/** What a patient shows is what the model says of it: links, identifiers, search, history. */
export async function expectAgreement(opened: LinkageUnderTest, model: LinkModel): Promise<void> {
  const values = new Map<string, string>();
  for (const id of model.patients) values.set(id, await ownValue(opened, id));
  for (const id of model.patients) await expectPatient(opened, model, id, values);
  expect(await storedEdges(opened)).toEqual(model.edges());
}

async function expectPatient(
  opened: LinkageUnderTest,
  model: LinkModel,
  id: string,
  values: ReadonlyMap<string, string>,
): Promise<void> {
  const read = await opened.read(id);
  const group = model.groupOf(id);
  expect(linksOf(read)).toEqual(model.linksOf(id));
  const shown = model.rootOf(id) === id ? group : [id];
  expect(valuesOf(read).sort()).toEqual(shown.map((one) => values.get(one)).sort());
  expect(await readPatientVersion(opened.index, id, read.meta?.versionId ?? "")).toEqual(read);
  expect(await search(opened, values.get(id) ?? "")).toEqual(group.sort());
}

/** Nobody waited in a circle: the database had nobody to choose as a victim. */
export async function expectNoDeadlock(opened: StoreUnderTest): Promise<void> {
  await onServer(opened.databaseUrl, async (client) => {
    await client.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await client.query(
      "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
}

/** The patients whom a search by an identifier of one of them finds. */
export async function foundBy(opened: LinkageUnderTest, id: string): Promise<string[]> {
  return await search(opened, await ownValue(opened, id));
}

async function ownValue({ store }: LinkageUnderTest, id: string): Promise<string> {
  return (await store.read(BigInt(id)))?.patient.identifier[0]?.value ?? "";
}

async function search(opened: LinkageUnderTest, value: string): Promise<string[]> {
  const given = { identifier: `${PID}|${value}`, _count: "100" };
  const parameters = Object.entries(given).map(
    ([name, text]) => ({ $typeName: "patientindex.v1.SearchParameter", name, value: text }) as const,
  );
  const found = await searchPatients(opened.index, parameters, false);
  return found.patients.map(({ id = "" }) => id).sort();
}

/** Delivers all that waits; answers with it in the order of delivery. */
export async function notifications(opened: LinkageUnderTest): Promise<LinkageNotification[]> {
  const receiver = wmReceiver();
  const queue = notificationQueue(opened.database);
  const delivery = {
    queue,
    notifier: receiver,
    authorOf: async () => undefined,
    now: async () => new Date(),
    onFailure: () => undefined,
  };
  while ((await deliverNotifications(delivery)).delivered > 0);
  return receiver.taken;
}

/** The links of the tables, which must tell the same in every place. */
async function storedEdges(opened: LinkageUnderTest): Promise<string[]> {
  return await onServer(opened.databaseUrl, async (client) => {
    const { rows: links } = await client.query("SELECT secondary_id AS lower, primary_id AS upper FROM link");
    const { rows: members } = await client.query(
      `SELECT member_id AS lower, primary_id AS upper FROM link_group g
       JOIN patient p ON p.id = g.member_id AND p.root_id = g.root_id
       JOIN patient r ON r.id = g.root_id AND r.root_id = r.id`,
    );
    const { rows: strays } = await client.query(
      `SELECT id FROM patient WHERE root_id IS NOT NULL AND id NOT IN
         (SELECT member_id FROM link_group UNION SELECT root_id FROM link_group)`,
    );
    expect(strays).toEqual([]);
    expect(edgesOf(members)).toEqual(edgesOf(links));
    return edgesOf(links);
  });
}

function edgesOf(rows: readonly { lower: string; upper: string }[]): string[] {
  return rows.map(({ lower, upper }) => `${lower}>${upper}`).sort();
}
