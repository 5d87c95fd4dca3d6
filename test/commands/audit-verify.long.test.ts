import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { openAuditTrail, openStorage } from "../../src/storage/index.ts";
import { createEmptyDatabase, createTestDatabase, onServer, type TestDatabase } from "../database.ts";
import { readOf } from "../storage/audit/trail.ts";

const COMMAND = join(import.meta.dirname, "..", "..", "src", "commands", "audit-verify.ts");
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
/** The folder of the service, which has its keys. */
let folder: string;
/** A folder of somebody else, who has none. */
let elsewhere: string;
let heads: string;

// A stream with five entries.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patient-index-verify-"));
  elsewhere = await mkdtemp(join(tmpdir(), "patient-index-auditor-"));
  heads = join(elsewhere, "heads.txt");
  database = await createTestDatabase();
  const settings = { ...parseSettings({}), databaseUrl: database.url, dataDirectory: folder };
  const storage = await openStorage(settings, quiet, () => undefined);
  const trail = await openAuditTrail(storage.database, storage.keys, new Date(), (cause) => {
    throw cause;
  });
  for (let count = 0; count < 5; count++) await trail.record([readOf(7n)]);
  await storage.close();
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
  await rm(elsewhere, { recursive: true });
});

describe("npm run audit:verify", () => {
  it("tells that all is well, notes the heads, and names what was removed since", async () => {
    const well = await verify("--heads", heads, "--first");
    expect(well.printed).toContain("5 entries in 1 streams: all is well.");
    expect(well.code).toBe(0);
    const noted = await readFile(heads, "utf8");
    const [stream] = noted.split(" ");
    expect(noted).toMatch(/^-\d+ 5 [0-9a-f]{64}\n$/);

    await tamper(`DELETE FROM audit_event WHERE n = 5;
      UPDATE audit_stream SET n = 4, hash = (SELECT hash FROM audit_event WHERE n = 4)`);
    expect((await verify()).code).toBe(0);
    const cut = await verify("--heads", heads);
    expect(cut.printed).toMatch(
      new RegExp(`Stream ${stream} \\(lane \\d+ of a process\\), entry 5: cut off`),
    );
    expect(cut.printed).toContain("Compared with 1 noted heads.");
    expect(cut.code).toBe(1);
    expect(await readFile(heads, "utf8")).toBe(noted);
  });

  it("does not take a trail that is gone for a good one", async () => {
    expect((await verify("--heads", heads, "--first")).code).toBe(0);
    await tamper("DELETE FROM audit_event; DELETE FROM audit_stream");
    expect(await verify()).toEqual({ code: 2, printed: expect.stringContaining("There is no audit trail") });
    expect((await verify("--heads", heads)).code).toBe(1);
  });

  it("tells of entries whose key is gone, or does not open any more", async () => {
    await tamper(
      "UPDATE audit_key SET ciphertext = set_byte(ciphertext, 30, 255 - get_byte(ciphertext, 30))",
    );
    expect(await verify()).toEqual({ code: 1, printed: expect.stringMatching(/of 5 entries does not open/) });
    await tamper("DELETE FROM audit_key");
    const missing = { code: 1, printed: expect.stringMatching(/of 5 entries is missing/) };
    expect(await verify()).toEqual(missing);
    expect(await verifyIn(elsewhere)).toEqual(missing);
  });

  it("needs no keys and no right to write, and leaves nothing behind", async () => {
    await onServer(database.url, async (client) => {
      const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
      await client.query(`ALTER DATABASE "${rows[0]?.name}" SET default_transaction_read_only = on`);
    });
    const { code, printed } = await verifyIn(elsewhere);
    expect(printed).toContain("Whether entries can be opened is not looked at:");
    expect(printed).toContain("5 entries in 1 streams: all is well.");
    expect(code).toBe(0);
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("does not judge a trail by the keys of another database", async () => {
    const other = await createTestDatabase();
    const settings = { ...parseSettings({}), databaseUrl: other.url, dataDirectory: elsewhere };
    await (await openStorage(settings, quiet, () => undefined)).close();
    const { code, printed } = await verifyIn(elsewhere);
    await other.drop();
    expect(printed).toContain("The keys at hand are not those of this database.");
    expect(code).toBe(0);
  });

  it("makes no database: none of its own, and no tables in one that has none", async () => {
    const empty = await createEmptyDatabase();
    expect((await verifyIn(elsewhere, { DATABASE_URL: empty.url })).code).toBe(2);
    await onServer(empty.url, async (client) => {
      const { rows } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
      expect(rows).toEqual([]);
    });
    await empty.drop();
    const none = await verifyIn(elsewhere, { DATABASE_URL: "" });
    expect(none).toEqual({ code: 2, printed: expect.stringContaining("There is no embedded database in") });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("takes no file that is not there for heads, unless it is told to, and none that holds no head", async () => {
    expect(await verify("--heads", heads)).toEqual({ code: 2, printed: expect.stringContaining("--first") });
    await writeFile(heads, "");
    expect(await verify("--heads", heads)).toEqual({ code: 2, printed: expect.stringContaining("no head") });
    expect((await verify("--heads", heads, "--first")).code).toBe(2);
    expect((await verify("--heads", folder)).code).toBe(2);
    expect((await verify("--heads", join(elsewhere, "missing", "heads"), "--first")).code).toBe(2);
  });

  it("shows how it is used when its options do not go together", async () => {
    const usage = expect.stringContaining("--heads FILE  Compares");
    const wrong = await Promise.all([verify("--heads", ""), verify("--first")]);
    for (const one of wrong) expect(one).toEqual({ code: 64, printed: usage });
  });
});

function verify(...options: string[]) {
  return verifyIn(folder, {}, ...options);
}

function verifyIn(
  dataDirectory: string,
  environment: Readonly<Record<string, string>> = {},
  ...options: string[]
): Promise<{ code: number; printed: string }> {
  const env = { ...process.env, DATABASE_URL: database.url, MPI_DATA_DIR: dataDirectory, ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...options], { env }, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, printed: out + errors }),
    );
  });
}

/** A statement of somebody who may change rights. */
function tamper(sql: string): Promise<unknown> {
  return onServer(database.url, async (client) => {
    await client.query("GRANT ALL ON audit_event, audit_stream, audit_key TO CURRENT_USER");
    await client.query(sql);
  });
}
