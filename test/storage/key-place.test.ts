import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/config.ts";
import { keyPlaceOf } from "../../src/storage/index.ts";

const HSM = { MPI_PKCS11_MODULE: "/usr/lib/hsm.so", MPI_PKCS11_TOKEN: "mpi" };

let folder: string;
let pinFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "key-place-"));
  pinFile = join(folder, "pin");
  await writeFile(pinFile, "1234\n");
  await writeFile(join(folder, "empty"), "\n");
});

afterAll(() => rm(folder, { recursive: true }));

/** The wrapping of new keys. */
async function wrapping(environment: Readonly<Record<string, string>>): Promise<string> {
  const { wrappings } = await keyPlaceOf(parseSettings({ ...HSM, ...environment }));
  return wrappings.forNew.name;
}

describe("new keys", () => {
  it("are wrapped by the HSM where the settings say so, and by nobody else", async () => {
    expect(await wrapping({ MPI_KEY_PROVIDER: "pkcs11", MPI_PKCS11_PIN_FILE: pinFile })).toBe(
      "pkcs11:patient-index",
    );
    expect(await wrapping({ MPI_PKCS11_PIN: "1234" })).toBe("none");
  });

  it.each<[string, Record<string, string>, string]>([
    ["no PIN", {}, "needs MPI_PKCS11_MODULE"],
    ["two PINs", { MPI_PKCS11_PIN: "1234", MPI_PKCS11_PIN_FILE: "pin" }, "only one of them can be meant"],
    ["a PIN file that is not there", { MPI_PKCS11_PIN_FILE: "missing" }, "missing, cannot be read"],
    ["a PIN file that is empty", { MPI_PKCS11_PIN_FILE: "empty" }, "holds no PIN"],
  ])("are refused with %s", async (_name, { MPI_PKCS11_PIN_FILE: file, ...pin }, message) => {
    const given = {
      MPI_KEY_PROVIDER: "pkcs11",
      ...pin,
      ...(file && { MPI_PKCS11_PIN_FILE: join(folder, file) }),
    };
    await expect(wrapping(given)).rejects.toThrow(message);
  });
});
