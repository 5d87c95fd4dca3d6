import { totalmem } from "node:os";

/** The account and the database of the index in the embedded server. */
export const ROLE = "mpi";
export const DATABASE = "mpi";

const SETTINGS: ServerSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // What an answered write stands on.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  checkpoint_timeout: "15min",
  max_wal_size: "1GB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  // The server's own state only: a refused statement is reported by whoever sent it, and its text and
  // details may hold a person's data.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
};

const MEGABYTE = 2 ** 20;

/**
 * The memory in which the server keeps tables and indexes, of so many bytes that there are: an eighth, 128 MB to 1 GB. New
 * patients are written all over the indexes of identifiers and of keys for matching: where these do not fit, each row takes
 * twice as long.
 */
export function sharedBuffers(memory: number): string {
  const eighth = Math.floor(memory / 8 / MEGABYTE);
  return `${Math.min(Math.max(eighth, 128), 1024)}MB`;
}

/** What this process may use with its children: of the machine, or of its container. */
function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Settings of PostgreSQL by their names. */
export type ServerSettings = Readonly<Record<string, string>>;

/** The command line of a server on that port; settings that are given go before ours. */
export function serverArguments(port: number, settings: ServerSettings): readonly string[] {
  const all = { shared_buffers: sharedBuffers(memoryHere()), ...SETTINGS, ...settings, port: String(port) };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** The address of a database of the server, for a client on this machine. */
export function databaseUrl(port: number, password: string, database = DATABASE): string {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
}
