import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account that the server's processes run under: ours when undefined, as PostgreSQL refuses to run as
 * root and root alone may start a process under another account.
 */
export type ServerUser = Account | undefined;

const ACCOUNT = "postgres";

/**
 * Finds the account for the server of a cluster: the owner of the cluster when there is one, otherwise the
 * account `postgres`, which is created when missing.
 * @throws Error when there is no such account and none can be created
 */
export async function findServerUser(cluster: string): Promise<ServerUser> {
  if (!runsAsRoot()) return undefined;
  return (await ownerOf(cluster)) ?? (await accountIds()) ?? (await createAccount());
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

async function ownerOf(cluster: string): Promise<Account | undefined> {
  const found = await stat(cluster).catch(() => undefined);
  if (found === undefined || found.uid === 0) return undefined;
  return { uid: found.uid, gid: found.gid };
}

async function accountIds(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", ACCOUNT]), run("id", ["-g", ACCOUNT])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined; // id fails for one reason only: there is no such account
  }
}

async function createAccount(): Promise<Account> {
  const options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT];
  try {
    await run("useradd", options);
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, and the account "${ACCOUNT}" for it could not be created: ` +
        "start as an ordinary user, create that account, or set DATABASE_URL",
      { cause },
    );
  }
  const created = await accountIds();
  if (created === undefined) throw new Error(`the account "${ACCOUNT}" was created but cannot be found`);
  return created;
}
