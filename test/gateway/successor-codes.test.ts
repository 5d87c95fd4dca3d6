import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import type { SandboxCall } from "../../src/sandbox/calls.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import file from "../../src/sandbox/people.json" with { type: "json" };
import { transportAs } from "../caller-transport.ts";
import { doctor } from "../callers.ts";
import { administrator } from "../jobs/administrator.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";
import { codesOf, RR, warningsOf } from "./register-answers.ts";

const NI = "https://fhir.ee/sid/pid/est/ni";
const AUTHOR = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-change-author";

interface Shown {
  readonly id: string;
  readonly link?: readonly { readonly type: string; readonly other: { readonly reference: string } }[];
  readonly identifier: readonly { readonly value: string; readonly period?: { readonly end?: string } }[];
  readonly telecom?: readonly object[];
  readonly meta: { readonly versionId: string };
}

interface AuditEntry {
  readonly resource: { readonly action: string; readonly patient: { readonly reference: string } };
}

/** Two people of the file whose codes are linked by the register in these tests, and one more. */
const [old, successor, last] = file.people.slice(0, 3).map(({ personalCode }) => personalCode) as [
  string,
  string,
  string,
];

const changedTwice = file.people.find((person) => "successorCode" in person)?.personalCode ?? "";

let folder: string;
let dataFile: string;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let service: RunningService;
let logged: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "successor-codes-"));
  dataFile = join(folder, "people.json");
  await writeFile(dataFile, JSON.stringify(file));
  sandbox = await startSandbox({ host: "127.0.0.1", port: 0, dataFile });
  logged = [];
  service = await start();
});

afterEach(async () => {
  await service.stop();
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

function start(overrides: Parameters<typeof startService>[0] = {}): Promise<RunningService> {
  const at = (name: string) => `${sandbox.url}/r1/EE/GOV/70000001/${name}`;
  const addresses = {
    rrUrl: at("rr"),
    adsUrl: at("ads"),
    torUrl: at("tor"),
    skaUrl: at("ska"),
    tkUrl: at("tk"),
  };
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  return startService({ ...addresses, wmUrl: at("wm"), ...overrides }, log);
}

/** The register says from now on which codes took the place of which. */
async function succeeds(successors: Readonly<Record<string, string>>): Promise<void> {
  const people = file.people.map((person) => {
    const successorCode = successors[person.personalCode];
    return { ...person, ...(successorCode !== undefined && { successorCode }) };
  });
  await writeFile(dataFile, JSON.stringify({ ...file, people }));
  const { port } = sandbox;
  await sandbox.stop();
  sandbox = await startSandbox({ host: "127.0.0.1", port, dataFile });
}

async function lookUp(code: string): Promise<Shown[]> {
  const answer = await send(
    `${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`,
  );
  expect(answer.status).toBe(200);
  return answer.json.entry.map(({ resource }: { resource: Shown }) => resource);
}

/** The record that holds a code as it is in the index. */
async function holder(code: string): Promise<Shown> {
  const { json } = await send(`${service.url}/fhir/Patient/$lookup?identifier=${code}`);
  return json.entry[0].resource;
}

function put(patient: Shown) {
  return send(`${service.url}/fhir/Patient/${patient.id}`, { method: "PUT", body: JSON.stringify(patient) });
}

function operate(operation: "link" | "unlink", source: string, target: string) {
  const reference = (name: string, id: string) => ({ name, valueReference: { reference: `Patient/${id}` } });
  const parameter = [reference("source-patient", source), reference("target-patient", target)];
  const body = JSON.stringify({ resourceType: "Parameters", parameter });
  return send(`${service.url}/fhir/Patient/$${operation}`, { method: "POST", body });
}

function linksOf({ link = [] }: Shown): string[] {
  return link.map(({ type, other }) => `${type} ${other.reference.replace("Patient/", "")}`);
}

describe("a look-up by a personal code that another took the place of", () => {
  it("links the old record below that of the successor, in the register's name", async () => {
    const [before] = await lookUp(old);
    await succeeds({ [old]: successor });
    const shown = await lookUp(old);
    const [secondary, primary] = [await holder(old), await holder(successor)];
    expect(secondary.id).toBe(before?.id);
    expect(linksOf(secondary)).toEqual([`replaced-by ${primary.id}`]);
    expect(linksOf(primary)).toEqual([`replaces ${secondary.id}`]);
    expect(primary.identifier).toEqual([
      { use: "official", system: NI, value: successor },
      { use: "official", system: NI, value: old, period: { end: expect.any(String) } },
    ]);
    const searched = await send(`${service.url}/fhir/Patient?identifier=${NI}|${old}`);
    expect(shown).toEqual(searched.json.entry.map(({ resource }: { resource: Shown }) => resource));
    expect(shown.map(({ id }) => id).sort()).toEqual([secondary.id, primary.id].sort());
    const { json } = await send(`${service.url}/fhir/Patient/${primary.id}/_history`);
    expect(json.entry[0].extension).toEqual([
      { url: AUTHOR, extension: [{ url: "register", valueUri: RR }] },
    ]);
  });

  it("tells the WM service and the audit trail of the link as of every other", async () => {
    await succeeds({ [old]: successor });
    await lookUp(old);
    const [secondary, primary] = [await holder(old), await holder(successor)];
    await expect
      .poll(async () => (await sandboxControl(sandbox.url).sent()).linkages, { timeout: 5_000 })
      .toMatchObject([{ kind: expect.stringMatching(/LINK/), sourceId: secondary.id, targetId: primary.id }]);
    // By the code that holds the person reaches the trail of the old one too.
    const as = { ...doctor, personalCode: successor, name: "The patient", role: "patient" };
    const { json } = await send(`${service.url}/fhir/AuditEvent?patient=Patient/${secondary.id}`, { as });
    const written = json.entry.filter(({ resource }: AuditEntry) => resource.action === "U");
    expect(written.map(({ resource }: AuditEntry) => resource.patient.reference).sort()).toEqual(
      [secondary, primary].map(({ id }) => `Patient/${id}`).sort(),
    );
    for (const { resource } of written) expect(JSON.stringify(resource.agent)).toContain(RR);
  });

  it("links once, however often and by however many it is asked", async () => {
    await succeeds({ [old]: successor });
    await Promise.all([lookUp(old), lookUp(old), lookUp(successor), lookUp(old)]);
    const linked = [await holder(old), await holder(successor)];
    await lookUp(old);
    await lookUp(successor);
    expect([await holder(old), await holder(successor)]).toEqual(linked);
    expect(linked.map(({ meta }) => meta.versionId)).toEqual(["2", "2"]);
    expect(logged).toEqual([]);
  });

  it("completes what ended halfway: both are in the index, not yet linked", async () => {
    await lookUp(old);
    await lookUp(successor);
    expect(linksOf(await holder(old))).toEqual([]);
    await succeeds({ [old]: successor });
    await lookUp(old);
    expect(linksOf(await holder(old))).toEqual([`replaced-by ${(await holder(successor)).id}`]);
  });

  it("follows one code after the other, in one step or in several, and takes a group along", async () => {
    const foreign = (
      await send(`${service.url}/fhir/Patient`, { method: "POST", body: JSON.stringify(inventedPatient()) })
    ).json;
    const [patient] = await lookUp(old);
    expect((await operate("link", foreign.id, patient?.id ?? "")).status).toBe(200);
    await succeeds({ [old]: successor });
    await lookUp(old);
    await succeeds({ [old]: successor, [successor]: last });
    await lookUp(old);
    const primary = await holder(last);
    const others = [foreign.id, (await holder(old)).id, (await holder(successor)).id];
    expect(linksOf(primary).sort()).toEqual(others.map((id) => `replaces ${id}`).sort());
    expect(primary.identifier.filter(({ value }) => [old, successor].includes(value))).toMatchObject([
      { period: { end: expect.any(String) } },
      { period: { end: expect.any(String) } },
    ]);
  });

  it("is not needed where the old code was never asked for", async () => {
    await succeeds({ [old]: successor });
    expect((await lookUp(successor)).map(linksOf)).toEqual([[]]);
  });
});

describe("an old record that cannot be linked to the successor", () => {
  it("is answered by the look-up as it is, and the log warns with ids alone", async () => {
    await succeeds({ [old]: successor });
    await lookUp(old);
    await succeeds({ [successor]: old });
    const shown = await lookUp(successor);
    const [secondary, primary] = [await holder(old), await holder(successor)];
    expect(shown.map(({ id }) => id)).toEqual([primary.id]);
    expect(linksOf(secondary)).toEqual([`replaced-by ${primary.id}`]);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { patient: primary.id, successor: secondary.id, causes: [{ message: "SECONDARY_ALREADY_LINKED" }] },
    ]);
    expect(logged.join()).not.toMatch(new RegExp(`${old}|${successor}`));
  });

  it("because the WM service is not told (MPI_WM_MODE sync) is linked by the next look-up", async () => {
    await service.stop();
    service = await start({ wmMode: "sync" });
    await succeeds({ [old]: successor });
    await sandboxControl(sandbox.url).fail({ register: "wm", code: "1", times: 1 });
    expect((await lookUp(old)).map(linksOf)).toEqual([[]]);
    expect(logged.map((line) => JSON.parse(line).causes[0].message)).toEqual(["WM_NOTIFICATION_FAILED"]);
    await lookUp(old);
    expect(linksOf(await holder(old))).toEqual([`replaced-by ${(await holder(successor)).id}`]);
  });
});

describe("a pair that the register has linked", () => {
  it("is not unlinked by clients (MPI-038), nor may they link such a one themselves (MPI-065)", async () => {
    await lookUp(old);
    await lookUp(successor);
    const ids = [(await holder(old)).id, (await holder(successor)).id] as [string, string];
    expect(codesOf(await operate("link", ...ids))).toEqual(["MPI-065"]);
    await succeeds({ [old]: successor });
    await lookUp(old);
    expect(codesOf(await operate("unlink", ...ids))).toEqual(["MPI-038"]);
    expect(codesOf(await operate("unlink", ids[1], ids[0]))).toEqual(["MPI-038"]);
    expect(linksOf(await holder(old))).toEqual([`replaced-by ${ids[1]}`]);
  });

  it("takes both records back as they were read, and protects the codes of each", async () => {
    await succeeds({ [old]: successor });
    await lookUp(old);
    const [secondary, primary] = [await holder(old), await holder(successor)];
    for (const patient of [secondary, primary]) {
      const answer = await put({ ...patient, language: "et" } as Shown);
      expect([answer.status, answer.json.identifier, answer.json.link]).toEqual([
        200,
        patient.identifier,
        patient.link,
      ]);
    }
    const [own, others] = primary.identifier;
    const withoutOwn = await put({ ...primary, identifier: others ? [others] : [] });
    expect(codesOf(withoutOwn)).toContain("MPI-071");
    const both = await put({ ...secondary, identifier: [...secondary.identifier, ...(own ? [own] : [])] });
    expect(codesOf(both)).toEqual(["MPI-050"]);
  });

  it("sends the contact data of each record under its own code", async () => {
    await succeeds({ [old]: successor });
    await lookUp(old);
    const sent = async () => (await sandboxControl(sandbox.url).sent()).contactData;
    const phone = (value: string) => [{ system: "phone", value, use: "mobile" }];
    await put({ ...(await holder(successor)), telecom: phone("+37256781234") });
    await put({ ...(await holder(old)), telecom: phone("+37256784321") });
    await expect.poll(sent, { timeout: 5_000 }).toHaveLength(2);
    const byCode = (await sent()).map((one: { personalCode: string; phones: string[] }) => [
      one.personalCode,
      ...one.phones,
    ]);
    expect(byCode.sort()).toEqual(
      [
        [old, "+37256784321"],
        [successor, "+37256781234"],
      ].sort(),
    );
  });
});

describe("an operation on registers about the old record", () => {
  it("asks by the code that is in force, and is about the record that was named", async () => {
    const headers = { "x-road-issue": "visit" };
    const ward = file.people.find(({ note }) => note?.startsWith("capacity T2"))?.personalCode ?? "";
    await succeeds({ [old]: ward });
    await lookUp(old);
    const { id } = await holder(old);
    for (const named of [`patient=Patient/${id}`, `patient.identifier=${old}`]) {
      const { json } = await send(`${service.url}/fhir/Patient/$legal-status?${named}`, { headers });
      expect(json.entry).toHaveLength(1);
      expect(json.entry[0].resource).toMatchObject({
        subject: { reference: `Patient/${id}` },
        valueCodeableConcept: { coding: [{ code: "T2" }] },
      });
    }
  });
});

/** Runs the job that refreshes known patients to its end. */
async function refresh(): Promise<void> {
  const transport = transportAs(service.grpcPort, administrator);
  const jobs = createClient(JobService, transport);
  const { job } = await jobs.startJob({ type: "refresh-from-register" });
  for await (const { job: now } of jobs.watchJob({ id: job?.id ?? "" })) expect(now?.problems).toBe(0n);
  transport.close();
}

describe("the old record is linked as well", () => {
  it("when a search asks the register for its code, and finds both", async () => {
    await succeeds({ [old]: successor });
    const found = await send(`${service.url}/fhir/Patient?identifier=${NI}|${old}`);
    expect([found.json.total, warningsOf(found)]).toEqual([2, []]);
  });

  it("by the job that refreshes known patients, which makes no more versions than need be", async () => {
    await lookUp(old);
    await succeeds({ [old]: successor });
    await refresh();
    const linked = [await holder(old), await holder(successor)];
    expect(linksOf(linked[0] as Shown)).toEqual([`replaced-by ${linked[1]?.id}`]);
    await refresh();
    expect([await holder(old), await holder(successor)]).toEqual(linked);
  });
});

describe("the job that refreshes known patients", () => {
  it("asks the register no faster than MPI_REFRESH_RATE, for successors too", async () => {
    await service.stop();
    service = await start({ refreshRate: 4, authorCheck: false });
    await lookUp(changedTwice);
    const control = sandboxControl(sandbox.url);
    await control.forgetCalls();
    await refresh();
    const { calls } = (await control.calls()) as { calls: SandboxCall[] };
    const times = calls.filter(({ service: asked }) => asked === "person").map(({ at }) => Date.parse(at));
    // The old record and its two successors, the one in between and the last, and the last alone.
    expect(times).toHaveLength(6);
    // Five pauses, of which a late first question may cut one short.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(4 * 250);
  });
});

describe("the sandbox", () => {
  it("has somebody whose personal code was changed twice", async () => {
    const shown = await lookUp(changedTwice);
    expect(shown).toHaveLength(3);
    const primary = shown.find((one) => linksOf(one).length === 2);
    expect(primary?.identifier.map(({ period }) => period?.end !== undefined)).toEqual([false, true, true]);
  });
});
