import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuditedStores, openAudited, readOf } from "../storage/audit/trail.ts";

const COMMAND = join(import.meta.dirname, "..", "..", "src", "commands", "audit-verify.ts");

let opened: AuditedStores;
let folder: string;
let heads: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patient-index-verify-"));
  heads = join(folder, "heads.txt");
  opened = await openAudited();
  for (let count = 0; count < 5; count++) await opened.trail.record([readOf(7n)]);
});

afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

function verify(...options: string[]): Promise<{ code: number; printed: string }> {
  const environment = { ...process.env, DATABASE_URL: opened.databaseUrl, MPI_DATA_DIR: folder };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...options],
      { env: environment },
      (_error, out, errors) => resolve({ code: child.exitCode ?? -1, printed: out + errors }),
    );
  });
}

test("tells that all is well, notes the heads, and names what was removed since", async () => {
  const well = await verify("--heads", heads);
  expect(well.printed).toContain("5 entries in 1 streams: all is well.");
  expect(well.code).toBe(0);
  const noted = await readFile(heads, "utf8");
  const [stream] = noted.split(" ");
  expect(noted).toMatch(/^-\d+ 5 [0-9a-f]{64}\n$/);

  await opened.tamper(`DELETE FROM audit_event WHERE n = 5;
    UPDATE audit_stream SET n = 4, hash = (SELECT hash FROM audit_event WHERE n = 4)`);
  expect((await verify()).code).toBe(0);
  const cut = await verify("--heads", heads);
  expect(cut.printed).toMatch(new RegExp(`Stream ${stream} \\(lane \\d+ of a process\\), entry 5: cut off`));
  expect(cut.code).toBe(1);
  expect(await readFile(heads, "utf8")).toBe(noted);
});

test("tells that it could not tell", async () => {
  const wrong = await verify("--heads", folder);
  expect(wrong.code).toBe(2);
  expect(wrong.printed).toContain("The audit trail was not verified.");
});
