import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../../src/config.ts";
import file from "../../../src/sandbox/people.json" with { type: "json" };
import { startRegisters } from "../../../src/service.ts";
import { createTestDatabase, onServer } from "../../database.ts";
import { type ChangingSandbox, startChangingSandbox } from "../../registers/changing-sandbox.ts";
import { startStandIn } from "../../registers/register-stand-in.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, send } from "../http-client.ts";

const RR = "https://rahvastikuregister.ee";
const [{ personalCode: code } = { personalCode: "" }] = file.people;

let sandbox: ChangingSandbox;
let service: RunningService | undefined;

beforeEach(async () => {
  sandbox = await startChangingSandbox();
});

afterEach(async () => {
  await service?.stop();
  await sandbox.stop();
});

/** The register changes its mind about the first person of the file. */
function change(changes: object): Promise<void> {
  return sandbox.change((person) => (person.personalCode === code ? { ...person, ...changes } : person));
}

describe("a refresh from the population register", () => {
  it("makes no version when nothing has changed, and exactly one, the register's, for a new name", async () => {
    service = await startService(sandbox.settings);
    const lookUp = async () => {
      const path = `Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
      return (await send(`${service?.url}/fhir/${path}`)).json.entry[0].resource;
    };
    const stored = await lookUp();
    await lookUp();
    await change({ familyName: "Uusnimi" });
    await Promise.all([lookUp(), lookUp(), lookUp()]);
    const { json } = await send(`${service.url}/fhir/Patient/${stored.id}/_history`);
    expect(json.total).toBe(2);
    const [latest] = json.entry;
    expect(latest.extension).toEqual([
      {
        url: "https://fhir.ee/mpi/StructureDefinition/ee-mpi-change-author",
        extension: [{ url: "register", valueUri: RR }],
      },
    ]);
    expect(latest.resource).toMatchObject({
      meta: { versionId: "2", source: RR },
      name: [{ family: "Uusnimi", use: "official" }, { use: "old" }],
      telecom: stored.telecom,
    });
  });

  it("keeps the former name, which clients put back as it is and by which $match finds the person", async () => {
    service = await startService(sandbox.settings);
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    const lookUp = async () => (await send(path)).json.entry[0].resource;
    const [name] = (await lookUp()).name;
    await change({ familyName: "Uusnimi" });
    const end = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    const refreshed = await lookUp();
    expect(refreshed.name).toEqual([
      { ...name, family: "Uusnimi" },
      { ...name, use: "old", period: { end } },
    ]);
    const put = (patient: object) =>
      send(`${service?.url}/fhir/Patient/${refreshed.id}`, { method: "PUT", body: JSON.stringify(patient) });
    expect((await put({ ...refreshed, language: "et" })).status).toBe(200);
    const removed = await put({ ...refreshed, name: refreshed.name.slice(0, 1) });
    expect(codesOf(removed)).toEqual(["MPI-071"]);
    const sought = {
      resourceType: "Patient",
      name: [{ family: name.family, given: name.given }],
      birthDate: refreshed.birthDate,
      gender: refreshed.gender,
    };
    const parameter = [{ name: "resource", resource: sought }];
    const found = await send(`${service.url}/fhir/Patient/$match`, {
      method: "POST",
      body: JSON.stringify({ resourceType: "Parameters", parameter }),
    });
    expect(found.json.entry).toMatchObject([
      {
        resource: { id: refreshed.id },
        search: { extension: expect.arrayContaining([expect.objectContaining({ valueCode: "probable" })]) },
      },
    ]);
  });

  it("shows what the register does not know of a name in a way that a client can put back", async () => {
    const standIn = await startStandIn();
    service = await startService({ ...sandbox.settings, rrUrl: standIn.addresses.rr, authorCheck: false });
    standIn.says({ person: { personalCode: code } });
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    const stored = (await send(path)).json.entry[0].resource;
    const url = "http://hl7.org/fhir/StructureDefinition/data-absent-reason";
    const unknown = { extension: [{ url, valueCode: "unknown" }] };
    expect(stored.name).toEqual([{ use: "official", _family: unknown, given: [null], _given: [unknown] }]);
    const body = JSON.stringify({ ...stored, language: "et" });
    const put = await send(`${service.url}/fhir/Patient/${stored.id}`, { method: "PUT", body });
    expect(put.status).toBe(200);
    expect(put.json).toMatchObject({ name: stored.name, meta: { versionId: "2" } });
    expect((await send(path)).json.entry[0].resource.meta.versionId).toBe("2");
    await standIn.stop();
  });

  it("is refused as what may be tried again (503) while others are faster all the time", async () => {
    service = await startService(sandbox.settings);
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    expect((await send(path)).status).toBe(200);
    await change({ familyName: "Uusnimi" });
    await onServer(service.databaseUrl, (client) =>
      client.query(`CREATE FUNCTION overtaken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER overtaken BEFORE UPDATE ON patient FOR EACH ROW EXECUTE FUNCTION overtaken()`),
    );
    const { status, json } = await send(path);
    expect([status, json.issue.map(({ code }: { code: string }) => code)]).toEqual([503, ["transient"]]);
  });

  it("does not go back to an answer that was asked for before, and comes after another replica has stored a newer one", async () => {
    const standIn = await startStandIn();
    const folder = await mkdtemp(join(tmpdir(), "register-refresh-"));
    const settings = { rrUrl: standIn.addresses.rr, authorCheck: false, keyFile: join(folder, "keys.json") };
    service = await startService({ ...sandbox.settings, ...settings });
    const { databaseUrl } = service;
    const replica = await startService({ ...sandbox.settings, ...settings, databaseUrl });
    const lookUp = async ({ url }: RunningService) => {
      const path = `Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
      return (await send(`${url}/fhir/${path}`)).json.entry[0].resource;
    };
    const person = { personalCode: code, givenNames: ["Mari"] };
    standIn.says({ person: { ...person, familyName: "Esimene" } });
    await lookUp(service);

    standIn.says({ person: { ...person, familyName: "Vana" } });
    const letGo = standIn.holdsNext();
    const late = lookUp(replica);
    await expect.poll(() => standIn.asked()).toBe(2);
    standIn.says({ person: { ...person, familyName: "Uus" } });
    await lookUp(service);
    letGo();
    expect((await late).name[0].family).toBe("Uus");
    const stored = await lookUp(service);
    expect([stored.name[0].family, stored.meta.versionId]).toEqual(["Uus", "2"]);

    await replica.stop();
    await standIn.stop();
    await rm(folder, { recursive: true });
  });

  it("asks the register once, whatever a client stores meanwhile of which the register says nothing", async () => {
    const standIn = await startStandIn();
    service = await startService({ ...sandbox.settings, rrUrl: standIn.addresses.rr, authorCheck: false });
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    const person = { personalCode: code, givenNames: ["Mari"] };
    standIn.says({ person: { ...person, familyName: "Esimene" } });
    const stored = (await send(path)).json.entry[0].resource;

    standIn.says({ person: { ...person, familyName: "Teine" } });
    const letGo = standIn.holdsNext();
    const refreshed = send(path);
    await expect.poll(() => standIn.asked()).toBe(2);
    const body = JSON.stringify({ ...stored, language: "et" });
    const put = await send(`${service.url}/fhir/Patient/${stored.id}`, { method: "PUT", body });
    expect(put.status).toBe(200);
    letGo();
    expect((await refreshed).json.entry[0].resource).toMatchObject({
      language: "et",
      name: [{ family: "Teine" }, { use: "old", family: "Esimene" }],
      meta: { versionId: "3" },
    });
    expect(standIn.asked()).toBe(2);
    await standIn.stop();
  });

  it("is done again when somebody was faster, however long that one took", async () => {
    service = await startService(sandbox.settings);
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    expect((await send(path)).status).toBe(200);
    await change({ familyName: "Uusnimi" });
    await onServer(service.databaseUrl, (client) =>
      client.query(`CREATE SEQUENCE attempt;
        CREATE FUNCTION overtaken_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('attempt') > 1 THEN RETURN NEW; END IF;
          PERFORM pg_sleep(2.5); RETURN NULL;
        END $$;
        CREATE TRIGGER overtaken_once BEFORE UPDATE ON patient FOR EACH ROW EXECUTE FUNCTION overtaken_once()`),
    );
    const { status, json } = await send(path);
    expect(status).toBe(200);
    expect(json.entry[0].resource.name).toContainEqual(expect.objectContaining({ family: "Uusnimi" }));
  });

  it("takes a death, and leaves what a client has added", async () => {
    service = await startService(sandbox.settings);
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    const stored = (await send(path)).json.entry[0].resource;
    const communication = [{ language: { coding: [{ system: "urn:ietf:bcp:47", code: "et" }] } }];
    const body = JSON.stringify({ ...stored, communication });
    await send(`${service.url}/fhir/Patient/${stored.id}`, { method: "PUT", body });
    await change({ deathDate: "2026-01-02" });
    const [{ resource }] = (await send(path)).json.entry;
    expect(resource).toMatchObject({ deceasedDateTime: "2026-01-02", meta: { versionId: "3" } });
    expect(resource.communication[0].language.coding[0].code).toBe("et");
  });

  it.each([
    ["corrected", "2026-01-03"],
    ["taken back", undefined],
  ])("drops what a client said beside a death that is %s", async (_what, deathDate) => {
    service = await startService(sandbox.settings);
    await change({ deathDate: "2026-01-02" });
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    const lookUp = async () => (await send(path)).json.entry[0].resource;
    const extension = [{ url: "https://example.ee/accuracy", valueCode: "estimated" }];
    const stored = await lookUp();
    const body = JSON.stringify({ ...stored, _deceasedDateTime: { extension } });
    await send(`${service.url}/fhir/Patient/${stored.id}`, { method: "PUT", body });
    expect(await lookUp()).toMatchObject({
      deceasedDateTime: "2026-01-02",
      _deceasedDateTime: { extension },
      meta: { versionId: "2" },
    });
    await change({ deathDate });
    const refreshed = await lookUp();
    expect(refreshed.deceasedDateTime).toBe(deathDate);
    expect(refreshed).not.toHaveProperty("_deceasedDateTime");
    expect(refreshed.meta.versionId).toBe("3");
  });
});

describe("adapters that run apart", () => {
  it("warn that they answer anybody, answer a core that finds them, and fail with the same chains", async () => {
    const database = await createTestDatabase();
    const settings = {
      ...parseSettings({}),
      ...sandbox.settings,
      databaseUrl: database.url,
      registersPort: 0,
    };
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => lines.push(line) });
    const dataDirectory = await mkdtemp(join(tmpdir(), "register-refresh-"));
    const apart = await startRegisters({
      settings: { ...settings, dataDirectory },
      log,
      progress: () => undefined,
    });
    expect(lines.join()).toContain("whoever reaches this port is told what the registers know of anybody");
    service = await startService({ registersAddress: `127.0.0.1:${apart.grpcPort}` });
    const path = `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`;
    expect((await send(path)).status).toBe(200);
    await sandbox.control.fail({ register: "rr", code: "10035" });
    const refused = await send(path);
    expect(refused.status).toBe(502);
    expect(refused.json.issue).toHaveLength(3);
    await apart.stop();
    const away = await send(path);
    expect([away.status, codesOf(away)]).toEqual([503, ["MPI-029", "XRR100"]]);
    await database.drop();
    await rm(dataDirectory, { recursive: true });
  });
});
