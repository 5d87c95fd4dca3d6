import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { reencryptIndex } from "../../src/index-maintenance/index.ts";
import { keyRotations, openStorage, patientStore } from "../../src/storage/index.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../database.ts";
import { newRun } from "../index-maintenance/processes.ts";
import { somebody } from "../storage/patients/store.ts";
import { WayToDatabase } from "../way-to-database.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "keys-command-"));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

it("takes the key file along with a rotation", { timeout: 600_000 }, async () => {
  await withStorage(async () => undefined);
  const [first] = await keysShown();
  expect(first).toMatch(/in the key file: primary, in the database: primary$/);
  expect((await keys("promote")).code).toBe(1);
  expect((await keys("add-secondary")).code).toBe(0);
  expect((await keys("add-secondary")).code).toBe(1);
  const [, second] = await keysShown();
  expect(second).toMatch(/in the key file: secondary, in the database: not used$/);

  const patient = await rotate();
  expect((await keys("promote")).code).toBe(0);
  const states = (await keysShown()).map((line) => line.replace(/^\S+ +/, ""));
  expect(states).toEqual([
    "in the key file: primary, in the database: primary",
    "in the key file: retired, in the database: retired",
  ]);
  await withStorage(async (storage) => {
    const read = await patientStore(storage.database, storage.keys).read(BigInt(patient.id ?? ""));
    expect(read?.patient.identifier).toEqual(patient.identifier);
  });
});

it("says that a secondary key is taken out also where what comes after that fails", async () => {
  await withStorage(async () => undefined);
  const path = join(folder, "keys.json");
  expect((await keys("add-secondary")).code).toBe(0);
  const { keyId } = JSON.parse(await readFile(path, "utf8")).secondary;
  const way = await WayToDatabase.to(database.url);
  way.hangUpAt("COMMIT");
  const removed = await keysWith({ DATABASE_URL: way.url, MPI_DATA_DIR: folder }, "remove-secondary");
  await way.cut();
  expect(removed).toMatchObject({ code: 1, output: `Key ${keyId} is not in ${path} any more.\n` });
  expect(removed.said).toMatch(/^That is done, but something failed behind it:\n/);
  expect(JSON.parse(await readFile(path, "utf8")).secondary).toBeUndefined();
  expect((await keys("remove-secondary")).said).toMatch(/^Nothing was changed\.\n/);
});

it("takes out a secondary key that the database does not use", async () => {
  await withStorage(async () => undefined);
  expect((await keys("add-secondary")).code).toBe(0);
  const added = (await keysShown()).length;
  expect((await keys("remove-secondary")).code).toBe(0);
  expect((await keysShown()).length).toBe(added - 1);
  expect((await keys("remove-secondary")).code).toBe(1);
  expect((await keys("add-secondary")).code).toBe(0);
  await withStorage((storage) => keyRotations(storage).begin());
  expect((await keys("remove-secondary")).code).toBe(1);
  expect(await keysShown()).toContainEqual(expect.stringMatching(/secondary, in the database: joining$/));
});

it("tells of a key whose secrets are not those of the database", async () => {
  await withStorage(async () => undefined);
  const path = join(folder, "keys.json");
  const text = await readFile(path, "utf8");
  const { primary, ...others } = JSON.parse(text);
  const swapped = { ...others, primary: { ...primary, hmac: primary.encryption } };
  await writeFile(path, JSON.stringify(swapped));
  expect((await keysShown())[0]).toMatch(/in the database: primary \(with other secrets/);
  await writeFile(path, text);
  expect((await keysShown())[0]).toMatch(/in the database: primary$/);
});

it("tells of a key that the database uses and the key file lacks", async () => {
  await withStorage(async () => undefined);
  const path = join(folder, "keys.json");
  const text = await readFile(path, "utf8");
  const used = (await keysShown()).find((line) => line.endsWith("in the database: primary")) ?? "";
  const keyId = "00000000-0000-4000-8000-000000000000";
  const others = { primary: { ...JSON.parse(text).primary, keyId } };
  await writeFile(path, JSON.stringify(others));
  const shown = await keysShown();
  expect(shown[0]).toMatch(/in the key file: primary, in the database: not used$/);
  expect(shown).toContain(`${used.split(" ")[0]}  in the key file: missing, in the database: primary`);
  await writeFile(path, text);
});

it("makes neither a database nor keys", async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), "keys-nowhere-"));
  const empty = await createEmptyDatabase();
  for (const command of ["show", "promote", "remove-secondary", "add-secondary"]) {
    for (const url of ["", empty.url]) {
      const env = { MPI_DATA_DIR: elsewhere, DATABASE_URL: url };
      expect([command, (await keysWith(env, command)).code]).toEqual([command, 1]);
    }
  }
  expect(await readdir(elsewhere)).toEqual([]);
  await rm(elsewhere, { recursive: true });
  await empty.drop();
});

it("fails for a command that there is not", async () => {
  const wrong = await Promise.all([keys("remove"), keys("toString"), keys("constructor")]);
  for (const one of wrong) expect(one).toMatchObject({ code: 64, output: "" });
});

function rotate() {
  return withStorage(async (storage) => {
    const patient = await patientStore(storage.database, storage.keys).create(somebody(), new Date());
    await reencryptIndex(keyRotations(storage)).run(newRun());
    return patient;
  });
}

async function withStorage<T>(work: (storage: Awaited<ReturnType<typeof openStorage>>) => Promise<T>) {
  const settings = { ...parseSettings({}), databaseUrl: database.url, dataDirectory: folder };
  const storage = await openStorage(settings, quiet, () => undefined);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

async function keysShown(): Promise<string[]> {
  return (await keys("show")).output.trim().split("\n");
}

function keys(...parameters: string[]): Promise<{ code: number; output: string; said: string }> {
  return keysWith({ DATABASE_URL: database.url, MPI_DATA_DIR: folder }, ...parameters);
}

function keysWith(
  settings: Readonly<Record<string, string>>,
  ...parameters: string[]
): Promise<{ code: number; output: string; said: string }> {
  const env = { ...process.env, ...settings };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["src/commands/keys.ts", ...parameters],
      { cwd: REPOSITORY, env },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout, said: stderr }),
    );
  });
}
