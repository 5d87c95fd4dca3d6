import { randomBytes } from "node:crypto";
import { access, chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runAs, takingForNoServer } from "./child-process.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Engine } from "./engine.ts";
import type { ServerUser } from "./server-user.ts";
import { DATABASE, ROLE } from "./settings.ts";
import { afterSurvivingSessions } from "./surviving-sessions.ts";

const SUPERUSER = "postgres";
const UNFINISHED = "cluster.unfinished-";

// The index signs in as an ordinary role that owns its database. Nobody signs in as the superuser: whoever
// may act as it may also start the server in single-user mode.
const ACCESS_RULES = `host all ${ROLE} 127.0.0.1/32 scram-sha-256\n`;

export function clusterExists(folder: DataFolder): Promise<boolean> {
  return access(join(folder.cluster, "PG_VERSION")).then(
    () => true,
    () => false,
  );
}

/** @throws Error when the cluster is of another PostgreSQL, by its number; what is no number PostgreSQL refuses */
export async function refuseOtherPostgres({ cluster }: DataFolder, { majorVersion }: Engine): Promise<void> {
  const made = (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
  if (made === majorVersion || !/^\d+$/.test(made)) return;
  throw new Error(
    `the embedded database in ${cluster} is of PostgreSQL ${made}, and this version brings PostgreSQL ${majorVersion}: ` +
      "start the version that made it, or move the data (docs/operations.md)",
  );
}

/**
 * Makes the cluster with the role and database of the index, and a password for it. It appears under its
 * name when it is complete, so that a start which is killed here leaves nothing behind.
 */
export async function createCluster(folder: DataFolder, engine: Engine, user: ServerUser): Promise<void> {
  await removeUnfinished(folder);
  const directory = await mkdtemp(join(folder.path, UNFINISHED));
  if (user !== undefined) await chown(directory, user.uid, user.gid);
  await runAs(user, engine.initdb, initOptions(directory));
  await writeFile(join(directory, "pg_hba.conf"), ACCESS_RULES);
  const password = newPassword();
  await runAs(user, engine.postgres, singleUser(directory), { input: provisioning(password) });
  await writePassword(folder, password);
  await rename(directory, folder.cluster);
}

/** The password of the role of the index; undefined when its file is gone, or a full disk or a crash left it empty. */
export async function readPassword(folder: DataFolder): Promise<string | undefined> {
  try {
    return (await readFile(folder.password, "utf8")).trim() || undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Gives the role of the index a new password when the old one is lost. No server may run on the cluster.
 * @param notAServer the process whose number stands in a stale postmaster.pid, if it runs
 */
export async function renewPassword(
  folder: DataFolder,
  engine: Engine,
  user: ServerUser,
  notAServer: number | undefined,
): Promise<string> {
  const password = newPassword();
  const input = `ALTER ROLE ${ROLE} PASSWORD '${password}';\n`;
  const env = takingForNoServer(notAServer);
  await afterSurvivingSessions(() =>
    runAs(user, engine.postgres, singleUser(folder.cluster), { input, env }),
  );
  await writePassword(folder, password);
  return password;
}

function singleUser(directory: string): readonly string[] {
  // A failure is told without the statement, which has the password in it.
  const settings = ["exit_on_error=on", "log_min_messages=fatal", "log_min_error_statement=panic"];
  return ["--single", "-D", directory, ...settings.flatMap((setting) => ["-c", setting]), SUPERUSER];
}

function initOptions(directory: string): readonly string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    "--auth=reject",
    "--encoding=UTF8",
    // The provider inside PostgreSQL: the same order on every system, and no index to rebuild when its libraries change.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--data-checksums",
  ];
}

// Each has a name of its own: the initdb of a start that was killed may be writing still.
async function removeUnfinished(folder: DataFolder): Promise<void> {
  const names = (await readdir(folder.path)).filter((name) => name.startsWith(UNFINISHED));
  const options = { recursive: true, force: true, maxRetries: 10 };
  await Promise.all(names.map((name) => rm(join(folder.path, name), options)));
}

function newPassword(): string {
  return randomBytes(32).toString("base64url");
}

async function writePassword(folder: DataFolder, password: string): Promise<void> {
  await rm(folder.password, { force: true });
  await writeFile(folder.password, `${password}\n`, { mode: 0o600, flag: "wx", flush: true });
}

// A line a statement: the end of a line is the end of a statement in single-user mode.
function provisioning(password: string): string {
  return [
    `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}';`,
    // So that a client can ask whose data folder a server has.
    `GRANT pg_read_all_settings TO ${ROLE};`,
    `CREATE DATABASE ${DATABASE} OWNER ${ROLE};`,
    "",
  ].join("\n");
}
