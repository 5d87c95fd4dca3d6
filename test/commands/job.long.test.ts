import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobService, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import type { RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { JobDisplay } from "../../src/commands/job/show.ts";
import file from "../../src/sandbox/people.json" with { type: "json" };
import { transportAs } from "../caller-transport.ts";
import { tokenOf } from "../callers.ts";
import { onServer } from "../database.ts";
import { administrator } from "../jobs/administrator.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const RR = "https://rahvastikuregister.ee";

/** Lines of the service's log. */
const logged: string[] = [];
let service: RunningService;
let control: ReturnType<typeof sandboxControl>;
let doctors: RemoteTransport;
let administration: RemoteTransport;

beforeAll(async () => {
  service = await startService(
    { refreshRate: 10, registerTimeout: 60_000 },
    pino({ level: "warn" }, { write: (line) => void logged.push(line) }),
  );
  control = sandboxControl(service.sandboxUrl);
  doctors = transportAs(service.grpcPort);
  administration = transportAs(service.grpcPort, administrator);
});

afterAll(async () => {
  doctors.close();
  administration.close();
  await service.stop();
});

/** `npm run job -- …` as its script runs it. */
function job(...parameters: string[]) {
  return jobAt(`127.0.0.1:${service.grpcPort}`, ...parameters);
}

async function jobAt(address: string, ...parameters: string[]) {
  const child = spawn(process.execPath, ["src/commands/job.ts", ...parameters], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      MPI_CORE_ADDRESS: address,
      MPI_TOKEN: await tokenOf(service.sandboxUrl, administrator),
    },
  });
  const shown = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    shown.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    shown.err += chunk;
  });
  const closed = once(child, "close");
  return { shown, exit: async () => ({ code: (await closed)[0], ...shown }) };
}

async function run(...parameters: string[]) {
  return (await job(...parameters)).exit();
}

async function load(count: number): Promise<void> {
  const lookup = createClient(PatientLookupService, doctors);
  for (const { personalCode } of file.people.slice(0, count)) {
    const parameters = [
      { name: "identifier", value: personalCode },
      { name: "source", value: RR },
    ];
    await lookup.lookupPatients({ parameters });
  }
}

describe("npm run job", () => {
  it("starts a job, shows its progress, and ends as the job does", async () => {
    await load(20);
    // About the caller, about ten and more; the others wait until that was shown.
    await control.fail({ register: "rr", service: "person", delayMs: 0, times: 12 });
    await control.fail({ register: "rr", service: "person", delayMs: 60_000 });
    const watching = await job("refresh-from-register");
    await expect.poll(() => watching.shown.out).toContain("10 of 20");
    await control.heal();
    const { code, out } = await watching.exit();
    expect(out).toMatch(/^refresh-from-register-1 (waits|runs)\n/);
    expect(out).toMatch(/10 of 20 \(50 %\)/);
    expect(out).toMatch(
      /^refresh-from-register-1 {2}done: 20 of 20 done, since \S+, started by .+ \(90001478\)$/m,
    );
    expect(code).toBe(0);
  });

  it("tells by its exit code that problems were found, and which", async () => {
    await load(1);
    await control.fail({ register: "rr", service: "person", code: "L001", times: 1 });
    const { code, out } = await run("refresh-from-register");
    await control.heal();
    expect(out).toMatch(/done: \d+ of \d+ done, 1 problems/);
    expect(out).toMatch(/^ {4}MPI-029 .+ Patient\.where\(id = '\d+'\)\n {4}XRR200 .+\n {4}L001/m);
    expect(code).toBe(3);
  });

  it("names the patient with whom something is wrong, and why it is", async () => {
    await load(2);
    await onServer(service.databaseUrl, (client) =>
      client.query("UPDATE identifier_value SET key_id = 'lost' WHERE patient_id = 2"),
    );
    for (const [type, lines] of [
      ["check-index", /^ {4}MPI-006 .+ Patient\.where\(id = '2'\)\n {4}MPI-003 /m],
      ["refresh-from-register", /^ {4}MPI-003 .+ Patient\.where\(id = '2'\)$/m],
    ] as const) {
      const { code, out } = await run(type);
      expect([code, out]).toEqual([3, expect.stringMatching(lines)]);
      const line = logged.map((one) => JSON.parse(one)).findLast(({ job }) => job?.startsWith(type));
      expect(line).toMatchObject({
        msg: "a job found a problem",
        at: ["Patient.where(id = '2')"],
        causes: expect.arrayContaining([expect.objectContaining({ message: "INDEX_DECRYPTION_FAILED" })]),
      });
    }
    for (const { personalCode } of file.people) expect(logged.join("")).not.toContain(personalCode);
    await onServer(service.databaseUrl, (client) =>
      client.query(
        "UPDATE identifier_value SET key_id = (SELECT key_id FROM index_key) WHERE patient_id = 2",
      ),
    );
  });

  it("says why a job is refused", async () => {
    expect(await run("defragment")).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^MPI-100 .*defragment/),
    });
    expect(await run("reencrypt-index")).toMatchObject({ code: 1, err: expect.stringMatching(/^MPI-005 /) });
  });

  it("says why the service cannot be reached", async () => {
    const { code, err } = await (await jobAt("127.0.0.1:1", "list")).exit();
    expect(code).toBe(1);
    expect(err).toContain("cannot be reached");
    expect(err).toContain("ECONNREFUSED");
  });

  it("lists, cancels, and what is watched meanwhile ends as cancelled", async () => {
    await load(20);
    await control.fail({ register: "rr", service: "person", delayMs: 60_000 });
    const watching = await job("refresh-from-register");
    const jobs = createClient(JobService, administration);
    const running = async () => {
      const {
        jobs: [latest],
      } = await jobs.listJobs({ type: "refresh-from-register" });
      return latest?.state === JobState.RUNNING ? latest.id : "";
    };
    await expect.poll(running).not.toBe("");
    const id = await running();
    expect((await run("cancel", id)).code).toBe(0);
    const { code, out } = await watching.exit();
    await control.heal();
    expect(out).toContain(`${id} cancelled`);
    expect(code).toBe(2);
    const listed = await run("list");
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(/^deliver-notifications {2}standing: /);
    expect(listed.out).toContain(`${id}  cancelled: `);
  });

  it("says how it is used", async () => {
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining("npm run job -- COMMAND") });
    for (const wrong of [
      ["watch"],
      ["list", "all"],
      ["check-index", "check-index-7"],
      ["check-index", "--dry-run"],
    ]) {
      const { code, out, err } = await run(...wrong);
      expect([wrong, code, out]).toEqual([wrong, 64, ""]);
      expect(err).toContain("npm run job -- COMMAND");
    }
  });
});

describe("on a terminal", () => {
  it("a bar shows how far the job is", async () => {
    const written: string[] = [];
    const display = new JobDisplay({ isTTY: true, write: (text) => written.push(text) });
    const jobs = createClient(JobService, administration);
    const { job: standing } = await jobs.getJob({ id: "purge-cache" });
    if (!standing) throw new Error("The job was not shown.");
    const shown = { ...standing, state: JobState.RUNNING, total: 4_000_000n };
    display.show({ ...shown, done: 1_000_000n });
    display.show({ ...shown, state: JobState.SUCCEEDED, done: 4_000_000n });
    expect(written.join("")).toMatch(
      /^purge-cache runs\n\r\[#{7}-{23}\] 1000000 of 4000000 \(25 %\), 0 a second.*\r\[#{30}\] 4000000 of 4000000 \(100 %\).*\n$/,
    );
  });
});
