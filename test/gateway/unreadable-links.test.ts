import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onServer } from "../database.ts";
import { type RunningService, startService } from "../service.ts";
import { codesIn, codesOf, type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

// $link and $unlink answer with a patient: where that one does not open (MPI-003), nothing is done.

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

describe("$link", () => {
  it("to a patient who does not open is refused and links nobody", async () => {
    const [source, target] = [await stored(), await stored()];
    await spoil(target);
    const answer = await linkage("$link", source, target);
    expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-003"]]);
    expect(await shown(source)).toEqual({ version: "1", links: [] });
    expect(await versionsOf(target)).toBe(1);
    expect(await linksOf(source)).toBe(0);
  });

  it("of a patient who does not open is done, as its target can be shown", async () => {
    const [source, target] = [await stored(), await stored()];
    await spoil(source);
    const answer = await linkage("$link", source, target);
    expect([answer.status, answer.json.id]).toEqual([200, target]);
    expect(await shown(target)).toEqual({ version: "2", links: [`replaces Patient/${source}`] });
  });
});

describe("$unlink", () => {
  it("of a patient who does not open is refused and releases nobody", async () => {
    const [source, target] = await linked();
    await spoil(source);
    const answer = await linkage("$unlink", source, target);
    expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-003"]]);
    expect(await shown(target)).toEqual({ version: "2", links: [`replaces Patient/${source}`] });
  });

  it("from a patient who does not open is done, as the one released can be shown", async () => {
    const [source, target] = await linked();
    await spoil(target);
    const answer = await linkage("$unlink", source, target);
    expect([answer.status, answer.json.id]).toEqual([200, source]);
    expect(await shown(source)).toEqual({ version: "3", links: [] });
  });
});

async function stored(): Promise<string> {
  const { status, json } = await post("Patient", inventedPatient());
  expect([status, codesIn(json)]).toEqual([201, []]);
  return json.id;
}

async function linked(): Promise<readonly [source: string, target: string]> {
  const pair = [await stored(), await stored()] as const;
  expect((await linkage("$link", ...pair)).status).toBe(200);
  return pair;
}

function linkage(operation: "$link" | "$unlink", source: string, target: string): Promise<HttpAnswer> {
  const parameter = [
    { name: "source-patient", valueReference: { reference: `Patient/${source}` } },
    { name: "target-patient", valueReference: { reference: `Patient/${target}` } },
  ];
  return post(`Patient/${operation}`, { resourceType: "Parameters", parameter });
}

function post(path: string, body: object): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`, { method: "POST", body: JSON.stringify(body) });
}

async function shown(id: string) {
  const { json } = await send(`${service.url}/fhir/Patient/${id}`);
  const links = (json.link ?? []) as {
    readonly type: string;
    readonly other: { readonly reference: string };
  }[];
  return {
    version: json.meta.versionId,
    links: links.map(({ type, other }) => `${type} ${other.reference}`),
  };
}

/** The identifiers of a patient do not open from now on. */
async function spoil(id: string): Promise<void> {
  await onServer(service.databaseUrl, (client) =>
    client.query(
      "UPDATE identifier_value SET ciphertext = set_bit(ciphertext, 150, 1 - get_bit(ciphertext, 150)) WHERE owner = $1",
      [id],
    ),
  );
}

function versionsOf(id: string): Promise<number> {
  return counted("SELECT count(*)::int AS n FROM patient_history WHERE id = $1", id);
}

/** Links of a patient to another one, ended ones too. */
async function linksOf(id: string): Promise<number> {
  const held = await counted("SELECT count(*)::int AS n FROM link WHERE secondary_id = $1", id);
  return held + (await counted("SELECT count(*)::int AS n FROM link_history WHERE secondary_id = $1", id));
}

async function counted(statement: string, id: string): Promise<number> {
  return await onServer(service.databaseUrl, async (client) => {
    const { rows } = await client.query(statement, [id]);
    return rows[0].n;
  });
}
