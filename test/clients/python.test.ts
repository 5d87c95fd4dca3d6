import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callerHeaders } from "../callers.ts";
import { type RunningService, startService } from "../service.ts";

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, "../..");
const PYTHON = "/usr/bin/python3";

const available = await canGenerate();

// Left out where the machine has no Python with grpcio, or no protoc; CI installs both on Debian.
describe.skipIf(!available)("a Python client generated from proto by buf", () => {
  let service: RunningService;
  let generated: string;

  beforeAll(async () => {
    service = await startService();
    generated = await mkdtemp(join(tmpdir(), "python-client-"));
    const template = join(import.meta.dirname, "buf.gen.python.yaml");
    await run("buf", ["generate", "--template", template, "-o", generated], { cwd: REPOSITORY });
  });

  afterAll(async () => {
    await service.stop();
    await rm(generated, { recursive: true });
  });

  it("creates and reads a patient, and reads the details of a refusal", async () => {
    const script = join(import.meta.dirname, "python_client.py");
    const address = `127.0.0.1:${service.grpcPort}`;
    const caller = await callerHeaders(address);
    const { stdout } = await run(PYTHON, [script, generated, address, JSON.stringify(caller)]);
    const [created, read, refused] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(created).toEqual({ created: expect.stringMatching(/^\d+$/), etag: 'W/"1"' });
    expect(read).toEqual({ read: created.created, family: "Virtanen", identifier: "131052-308T" });
    expect(refused).toEqual({
      refused: "ALREADY_EXISTS",
      reason: "PATIENT_ALREADY_EXISTS",
      issues: [["MPI-010", expect.stringContaining("identifier"), ["Patient.identifier"]]],
    });
  });
});

async function canGenerate(): Promise<boolean> {
  try {
    await run(PYTHON, ["-c", "import grpc, google.protobuf"]);
    await run("protoc", ["--version"]);
    await run("which", ["grpc_python_plugin"]);
    return true;
  } catch {
    return false;
  }
}
