import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, "../..");
const BASELINE = join(REPOSITORY, "proto/baseline.binpb");
const CONTRACT = "proto/patientindex/v1";

let copy: string;

beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), "contract-"));
  for (const path of ["buf.yaml", "proto/patientindex", "proto/google", "proto/grpc"]) {
    await cp(join(REPOSITORY, path), join(copy, path), { recursive: true });
  }
});

afterEach(() => rm(copy, { recursive: true }));

async function edit(file: string, from: string | RegExp, to: string): Promise<void> {
  const path = join(copy, CONTRACT, file);
  const text = await readFile(path, "utf8");
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  await writeFile(path, edited);
}

/** What buf says of the edited contract; nothing when no client breaks. */
async function breaks(): Promise<string> {
  try {
    await run("buf", ["breaking", "--against", BASELINE], { cwd: copy });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe("the baseline of the contract", () => {
  test("holds all of the contract as it stands", async () => {
    const built = join(copy, "built.binpb");
    await run("buf", ["build", "--exclude-source-info", "-o", built], { cwd: copy });
    expect((await readFile(built)).equals(await readFile(BASELINE))).toBe(true);
  });

  test("lets the contract grow", async () => {
    await edit("readiness_service.proto", "message CheckReadinessRequest {}", "$& message Another {}");
    expect(await breaks()).toBe("");
  });

  test("sees that a method is gone", async () => {
    await edit("readiness_service.proto", /rpc CheckReadiness\(.*;/, "");
    expect(await breaks()).toContain('"CheckReadiness" on service "ReadinessService" was deleted');
  });

  test("sees that a service is gone", async () => {
    await edit("readiness_service.proto", /service ReadinessService \{[^}]*\}/, "");
    expect(await breaks()).toContain('service "ReadinessService" was deleted');
  });

  test("sees that the latest field has another name", async () => {
    await edit("patient_service.proto", "bool condition = 5;", "bool is_condition = 5;");
    expect(await breaks()).toContain("condition");
  });

  test("sees that a message is in another file, from where a client in Python imports it", async () => {
    await edit("readiness_service.proto", "message CheckReadinessResponse {}", "");
    await edit(
      "readiness_service.proto",
      "package patientindex.v1;",
      '$&\nimport "patientindex/v1/author.proto";',
    );
    await edit("author.proto", /$/, "\n// Moved.\nmessage CheckReadinessResponse {}\n");
    expect(await breaks()).toContain('"CheckReadinessResponse" was deleted from file');
  });
});
