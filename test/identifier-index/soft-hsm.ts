import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HsmSettings } from "../../src/identifier-index/index.ts";

const MODULES = [
  "/usr/lib/softhsm/libsofthsm2.so",
  "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
  "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
];

const softHsmModule = MODULES.find((path) => existsSync(path));

/** Why the tests with SoftHSM cannot run here; undefined when they can. */
export async function whatIsMissing(): Promise<string | undefined> {
  if (softHsmModule === undefined) return "SoftHSM 2 is not installed";
  try {
    await import("pkcs11js");
    return undefined;
  } catch {
    return "the native module of pkcs11js was not built";
  }
}

/** A token of its own in a folder. SoftHSM finds it by SOFTHSM2_CONF, which is set for this process. */
export async function newToken(folder: string): Promise<HsmSettings> {
  const tokens = join(folder, "tokens");
  await mkdir(tokens);
  const configuration = join(folder, "softhsm2.conf");
  await writeFile(
    configuration,
    `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  );
  process.env["SOFTHSM2_CONF"] = configuration;
  const settings = { tokenLabel: "mpi", pin: "1234", keyLabel: "patient-index", module: softHsmModule ?? "" };
  execFileSync(
    "softhsm2-util",
    ["--init-token", "--free", "--label", settings.tokenLabel, "--pin", settings.pin, "--so-pin", "5678"],
    { stdio: "pipe" },
  );
  return settings;
}
