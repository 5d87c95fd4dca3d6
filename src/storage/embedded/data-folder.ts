import { createHash } from "node:crypto";
import { constants, type Stats, statSync } from "node:fs";
import { access, chmod, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Account, runsAsRoot, type ServerUser } from "./server-user.ts";

/** Where the embedded server keeps what is its own, inside the data folder. */
export interface DataFolder {
  readonly path: string;
  /** PGDATA. It is there only when it is whole: a cluster is made under another name and renamed. */
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  readonly previousLog: string;
  /** Held alone by the process that is starting or stopping the server. */
  readonly startLock: string;
  /** Shared by the processes that use the server. */
  readonly useLock: string;
}

/**
 * The data folder of a clone when none is set: `.data` in it. As root, from a clone that other accounts may
 * not enter, it is a folder of that clone's own under /var/lib, as the server then runs as another account.
 */
export function defaultDataDirectory(cloneDirectory: string): string {
  const clone = resolve(cloneDirectory);
  if (!runsAsRoot() || closedTo({ uid: -1, gid: -1 }, clone) === undefined) return join(clone, ".data");
  const name = createHash("sha256").update(clone).digest("hex").slice(0, 12);
  return join("/var/lib/patient-index", name);
}

/**
 * Makes the server's folder in the data folder when it is missing. Paths come back without symbolic links.
 * @throws Error that names the folder when this account may not write to it
 */
export async function openDataFolder(dataDirectory: string): Promise<DataFolder> {
  const wanted = join(resolve(dataDirectory), "postgres");
  try {
    await makeFolders(wanted);
    await access(wanted, constants.W_OK);
    return folderAt(await realpath(wanted));
  } catch (cause) {
    throw new Error(
      `the folder of the embedded database, ${wanted}, cannot be written to: ` +
        "set MPI_DATA_DIR to one that this account may write to, or DATABASE_URL to a server",
      { cause },
    );
  }
}

/** Where the folder is or would be; makes nothing. */
export function dataFolderIn(dataDirectory: string): DataFolder {
  return folderAt(join(resolve(dataDirectory), "postgres"));
}

function folderAt(path: string): DataFolder {
  return {
    path,
    cluster: join(path, "cluster"),
    password: join(path, "password"),
    log: join(path, "server.log"),
    previousLog: join(path, "server.previous.log"),
    startLock: join(path, "start.lock"),
    useLock: join(path, "use.lock"),
  };
}

/**
 * Sees to it that the server's account can pass through to its folder.
 * @throws Error that names the folder which is closed to it
 */
export async function openPathTo(folder: DataFolder, user: ServerUser): Promise<void> {
  if (user === undefined) return;
  // Passage alone: what lies in the data folder stays unlisted, and is guarded by its own mode.
  await letPass(dirname(folder.path));
  const closed = closedTo(user, folder.path);
  if (closed === undefined) return;
  throw new Error(
    `the embedded database runs as account ${user.uid}, which may not enter ${closed}: ` +
      "set MPI_DATA_DIR to a folder that it can reach, or DATABASE_URL to a server",
  );
}

/** The outermost folder on the way to a path that an account may not enter, undefined when it may enter all. */
export function closedTo(user: Account, path: string): string | undefined {
  const parent = dirname(path);
  const outer = parent === path ? undefined : closedTo(user, parent);
  return outer ?? (mayEnter(user, statSync(path, { throwIfNoEntry: false })) ? undefined : path);
}

function mayEnter(user: Account, found: Stats | undefined): boolean {
  if (found === undefined) return true;
  if (found.uid === user.uid) return (found.mode & 0o100) !== 0;
  if (found.gid === user.gid) return (found.mode & 0o010) !== 0;
  return (found.mode & 0o001) !== 0;
}

async function makeFolders(path: string): Promise<void> {
  const mode = runsAsRoot() ? 0o711 : 0o700;
  const outermost = await mkdir(path, { recursive: true });
  if (outermost === undefined) return;
  // The umask of root may have closed what was made just now.
  for (let made = path; made.length >= outermost.length; made = dirname(made)) await chmod(made, mode);
}

async function letPass(directory: string): Promise<void> {
  const found = await stat(directory);
  if (found.uid === 0 && (found.mode & 0o001) === 0) await chmod(directory, (found.mode & 0o7777) | 0o001);
}
