import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { reencryptIndex } from "../../src/index-maintenance/index.ts";
import { keyRotations, openStorage, patientStore, type Storage } from "../../src/storage/index.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { newToken, whatIsMissing } from "../identifier-index/soft-hsm.ts";
import { newRun } from "../index-maintenance/processes.ts";
import { somebody } from "../storage/patients/store.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const missing = await whatIsMissing();

describe.skipIf(missing !== undefined)(`an index${missing ? ` (left out: ${missing})` : ""}`, () => {
  let database: TestDatabase;
  let folder: string;
  let onFile: Record<string, string>;
  let onHsm: Record<string, string>;

  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), "move-to-hsm-"));
    const { module, tokenLabel, pin } = await newToken(folder);
    onFile = { DATABASE_URL: database.url, MPI_DATA_DIR: folder };
    onHsm = {
      ...onFile,
      MPI_KEY_PROVIDER: "pkcs11",
      MPI_PKCS11_MODULE: module,
      MPI_PKCS11_TOKEN: tokenLabel,
      MPI_PKCS11_PIN: pin,
    };
  });

  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it("moves from a key file to an HSM by a rotation", { timeout: 600_000 }, async () => {
    const patient = await started(onFile, (storage) => stored(storage));
    await started(onHsm, () => keys(onHsm, "add-secondary"));
    await started(onHsm, (storage) => reencryptIndex(keyRotations(storage)).run(newRun()));
    expect((await keys(onHsm, "promote")).code).toBe(0);
    const { primary } = JSON.parse(await readFile(join(folder, "keys.json"), "utf8"));
    expect(primary).toMatchObject({ wrapping: "pkcs11:patient-index" });
    expect((await keys(onHsm, "show")).output).toContain(`${primary.keyId}  in the key file: primary`);
    await started(onHsm, async ({ database: connected, keys: ring }) => {
      const read = await patientStore(connected, ring).read(BigInt(patient.id ?? ""));
      expect(read?.patient.identifier).toEqual(patient.identifier);
    });
  });

  it("goes on with its key file when a key of an HSM was added too early", { timeout: 600_000 }, async () => {
    await started(onFile, (storage) => stored(storage));
    expect((await keys(onHsm, "add-secondary")).code).toBe(0);
    await expect(started(onFile, async () => undefined)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("npm run keys -- remove-secondary") },
    });
    expect((await keys(onFile, "remove-secondary")).code).toBe(0);
    await started(onFile, async () => undefined);
  });
});

function stored({ database, keys }: Storage) {
  return patientStore(database, keys).create(somebody(), new Date());
}

async function started<T>(
  environment: Record<string, string>,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(parseSettings(environment), quiet, () => undefined);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

function keys(
  environment: Record<string, string>,
  command: string,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["src/commands/keys.ts", command],
      { cwd: REPOSITORY, env: { ...process.env, ...environment } },
      (error, stdout) => resolve({ code: Number(error?.code ?? 0), output: stdout }),
    );
  });
}
