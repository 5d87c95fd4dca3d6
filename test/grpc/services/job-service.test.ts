import { create } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ContactPointSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Job, JobService, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import type { RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import file from "../../../src/sandbox/people.json" with { type: "json" };
import { transportAs } from "../../caller-transport.ts";
import { refusalOf } from "../../clients.ts";
import { createEmptyDatabase, onServer } from "../../database.ts";
import { administrator } from "../../jobs/administrator.ts";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { somebody } from "../../storage/patients/store.ts";

const { MPI, XROAD_RR, RR } = defaultErrorSystems;
const SOON = { interval: 100 };
const english = { "accept-language": "en" };

const logged: string[] = [];

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;
let transport: RemoteTransport;
let administration: RemoteTransport;
let jobs: Client<typeof JobService>;
let patients: Client<typeof PatientService>;

beforeAll(async () => {
  service = await startService({}, pino({ level: "warn" }, { write: (line) => void logged.push(line) }));
  control = sandboxControl(service.sandboxUrl);
  transport = transportAs(service.grpcPort);
  administration = transportAs(service.grpcPort, administrator);
  jobs = createClient(JobService, administration);
  patients = createClient(PatientService, transport);
});

afterEach(async () => {
  await control.heal();
});

afterAll(async () => {
  transport.close();
  administration.close();
  await service.stop();
});

/** Starts a job and watches it to its end. */
async function done(type: string): Promise<Job> {
  const { job: started } = await jobs.startJob({ type });
  let last = started;
  for await (const { job } of jobs.watchJob({ id: started?.id ?? "" })) last = job;
  if (!last) throw new Error("The job was not shown.");
  return last;
}

async function chainOf(id: string, version: string): Promise<string[]> {
  const { job } = await jobs.getJob({ id }, { headers: { ...english, "x-mpi-version": version } });
  expect(JSON.stringify(job?.lastError)).not.toMatch(/\d{11}/);
  return (job?.lastError ?? []).map(({ system, code, text }) => `${system} ${code}: ${text}`);
}

async function standing(id: string) {
  const { job } = await jobs.getJob({ id });
  return job;
}

/** Which records the latest error of a job is about. */
async function recordsOf(id: string): Promise<string[]> {
  return (await standing(id))?.lastError.flatMap(({ expressions }) => expressions) ?? [];
}

function recordOf(id: string | undefined): string {
  return `Patient.where(id = '${id}')`;
}

/** The patient of a person of the sandbox, with another e-mail address than the register has; answers with its id. */
async function changeContactData(personalCode: string): Promise<string | undefined> {
  const lookup = createClient(PatientLookupService, transport);
  const { patients: found } = await lookup.lookupPatients({
    parameters: [
      { name: "identifier", value: personalCode },
      { name: "source", value: RR },
    ],
  });
  const [patient] = found;
  if (!patient) throw new Error("The person is not in the sandbox.");
  const email = create(ContactPointSchema, { system: "email", value: "uus@post.example", use: "home" });
  const telecom = [...patient.telecom, email];
  await patients.updatePatient({ id: patient.id ?? "", patient: { ...patient, telecom } });
  return patient.id;
}

/** Answers with the ids of the two. */
async function linkTwo(): Promise<string[]> {
  const linkage = createClient(LinkageService, transport);
  const [source, target] = await Promise.all(
    [1, 2].map(async () => (await patients.createPatient({ patient: somebody() })).patient?.id ?? ""),
  );
  await linkage.linkPatients({ source: { id: source ?? "" }, target: { id: target ?? "" } });
  return [source ?? "", target ?? ""];
}

describe("deliver-notifications", () => {
  it("shows why contact data were not sent: MPI-029, XRR400 and the register's code, in either version", async () => {
    await control.fail({
      register: "rr",
      service: "contact-data",
      code: "L027",
      message: "Isik 38001085718 ei sobi",
    });
    await changeContactData(file.people[0]?.personalCode ?? "");
    const job = await done("deliver-notifications");
    expect(job).toMatchObject({ state: JobState.SUCCEEDED, problems: 1n, done: 0n });
    const chain = [
      expect.stringMatching(`^${MPI} MPI-029: .+`),
      expect.stringMatching(`^${XROAD_RR} XRR400: .+`),
      expect.stringMatching(`^${RR} L027: `),
    ];
    for (const version of ["1.5.0", "1.1.1"]) {
      expect(await chainOf(job.id, version)).toEqual(chain);
      await expect.poll(() => chainOf("deliver-notifications", version), SOON).toEqual(chain);
    }
    await control.heal();
    expect(await done("deliver-notifications")).toMatchObject({ state: JobState.SUCCEEDED, problems: 0n });
    expect((await control.sent()).contactData).toHaveLength(1);
  });

  it("shows that the WM service was not told: MPI-039, in either version", async () => {
    await control.fail({ register: "wm", drop: true });
    await linkTwo();
    const job = await done("deliver-notifications");
    expect(job).toMatchObject({ state: JobState.SUCCEEDED, problems: 1n });
    for (const version of ["1.5.0", "1.1.1"]) {
      expect(await chainOf(job.id, version)).toEqual([expect.stringMatching(`^${MPI} MPI-039: .+`)]);
    }
  });

  it("names the patients whose data were not taken, as other jobs do, for the register may refuse them for ever", async () => {
    await control.fail({ register: "rr", service: "contact-data", code: "L027" });
    const changed = await changeContactData(file.people[4]?.personalCode ?? "");
    const { id } = await done("deliver-notifications");
    for (const one of [id, "deliver-notifications"]) {
      await expect.poll(() => recordsOf(one), SOON).toEqual([recordOf(changed)]);
    }
    await control.heal();
    await control.fail({ register: "wm", code: "UNKNOWN" });
    const linked = await linkTwo();
    await expect.poll(() => recordsOf("deliver-notifications"), SOON).toEqual(linked.map(recordOf));
    await control.heal();
    expect(await done("deliver-notifications")).toMatchObject({ state: JobState.SUCCEEDED, problems: 0n });
    const lines = logged.map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: "contact data not sent (XRR400)", at: [recordOf(changed)] }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: "WM service not told (MPI-039)", at: linked.map(recordOf) }),
    );
  });

  it("gives its turn back when it is cancelled", async () => {
    await control.fail({ register: "wm", delayMs: 1_000 });
    for (let pair = 0; pair < 4; pair++) await linkTwo();
    const { job } = await jobs.startJob({ type: "deliver-notifications" });
    const stateOf = async () => (await jobs.getJob({ id: job?.id ?? "" })).job?.state;
    await expect.poll(stateOf, SOON).toBe(JobState.RUNNING);
    await jobs.cancelJob({ id: job?.id ?? "" });
    await expect.poll(stateOf, SOON).toBe(JobState.CANCELLED);
    await control.heal();
    const startedAt = performance.now();
    expect(await done("deliver-notifications")).toMatchObject({ state: JobState.SUCCEEDED, problems: 0n });
    // A lease that was not given back would last for 25 s.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it("goes on by itself, and says what it did and what was wrong", async () => {
    const before = await standing("deliver-notifications");
    expect(before).toMatchObject({ state: JobState.STANDING, type: "deliver-notifications" });
    await control.fail({ register: "wm", code: "BUSY", times: 1 });
    await linkTwo();
    await expect
      .poll(async () => {
        const now = await standing("deliver-notifications");
        return {
          delivered: (now?.done ?? 0n) > (before?.done ?? 0n),
          problems: (now?.problems ?? 0n) > (before?.problems ?? 0n),
        };
      }, SOON)
      .toEqual({ delivered: true, problems: true });
  });
});

describe("refresh-from-register", () => {
  it("brings every known Estonian to what the register says, without needless versions, and counts problems", async () => {
    const [, known, gone] = file.people.map(({ personalCode }) => personalCode);
    await changeContactData(known ?? "");
    await changeContactData(gone ?? "");
    const lookup = (code = "") => ({ parameters: [{ name: "identifier", value: code }] });
    const { patients: found } = await createClient(PatientLookupService, transport).lookupPatients(
      lookup(known),
    );
    const version = found[0]?.meta?.versionId;
    await control.fail({ register: "rr", service: "person", code: "L001", times: 1 });
    const job = await done("refresh-from-register");
    expect(job.state).toBe(JobState.SUCCEEDED);
    expect(job.done).toBeGreaterThanOrEqual(3n);
    expect(job.total).toBe(job.done);
    expect(job.problems).toBe(1n);
    expect((await chainOf(job.id, "1.5.0")).map((line) => line.split(":", 2)[1])).toHaveLength(3);
    const { patients: after } = await createClient(PatientLookupService, transport).lookupPatients(
      lookup(known),
    );
    expect(after[0]?.meta?.versionId).toBe(version);
  });

  it("says so while the register gives no answer, however often it was asked, and goes on when it does", {
    timeout: 300_000,
  }, async () => {
    await changeContactData(file.people[1]?.personalCode ?? "");
    const asked = await control.count("rr/person");
    await control.fail({ register: "rr", service: "person", drop: true });
    const { job: held } = await jobs.startJob({ type: "refresh-from-register" });
    const id = held?.id ?? "";
    await expect.poll(async () => (await standing(id))?.problems, SOON).toBe(1n);
    expect(await chainOf(id, "1.5.0")).toMatchObject([
      expect.stringContaining(`${MPI} MPI-029`),
      expect.stringContaining(XROAD_RR),
    ]);
    const repeated = 4;
    await expect.poll(async () => (await control.count("rr/person")) - asked, SOON).toBeGreaterThan(repeated);
    await control.heal();
    await expect.poll(async () => (await standing(id))?.state, SOON).toBe(JobState.SUCCEEDED);
    expect((await standing(id))?.problems).toBe(1n);
  });
});

describe("JobService", () => {
  it("starts, lists and reads; who asks twice is told that it is there", async () => {
    const purged = await done("purge-cache");
    expect(purged).toMatchObject({ id: "purge-cache-1", type: "purge-cache", state: JobState.SUCCEEDED });
    expect(purged.endedAt).toBeDefined();
    expect(purged.startedBy).toMatchObject({
      name: administrator.name,
      role: "administrator",
      organization: administrator.organization,
    });
    const { jobs: listed } = await jobs.listJobs({ type: "purge-cache" });
    expect(listed.map(({ id }) => id)).toEqual(["purge-cache", "purge-cache-1"]);
    expect((await jobs.getJob({ id: "purge-cache-1" })).job).toEqual(purged);
    expect((await jobs.cancelJob({ id: "purge-cache-1" })).job).toEqual(purged);
  });
});

describe("a service with a queue in a database of its own", () => {
  it("keeps nothing of the queue beside the index, and stops at once under a watcher's eyes", async () => {
    const queue = await createEmptyDatabase();
    const other = await startService({ jobsDatabaseUrl: queue.url, shutdownGrace: 60_000 });
    const ofOther = transportAs(other.grpcPort, administrator);
    const client = createClient(JobService, ofOther);
    const { job } = await client.startJob({ type: "purge-cache" });
    const states: JobState[] = [];
    for await (const shown of client.watchJob({ id: job?.id ?? "" })) states.push(shown.job?.state ?? 0);
    expect(states.at(-1)).toBe(JobState.SUCCEEDED);
    expect(await schemasOf(queue.url)).toContain("job_queue");
    expect(await schemasOf(other.databaseUrl)).not.toContain("job_queue");

    const watching = client.watchJob({ id: "purge-cache" })[Symbol.asyncIterator]();
    expect((await watching.next()).value?.job?.state).toBe(JobState.STANDING);
    const next = refusalOf(watching.next().then(() => watching.next()));
    const startedAt = performance.now();
    await other.stop();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect((await next).status).toBe("Unavailable");
    ofOther.close();
    await queue.drop();
  });
});

async function schemasOf(url: string): Promise<string[]> {
  const { rows } = await onServer(url, (client) =>
    client.query<{ name: string }>("SELECT nspname AS name FROM pg_namespace"),
  );
  return rows.map(({ name }) => name);
}
