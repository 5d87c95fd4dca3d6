import { KeyMissing, KeysReplaced } from "../../identifier-index/index.ts";
import { adapterCause, sqlState } from "./sql-state.ts";

/** Kinds of the driver adapter: nobody answered, or no longer. */
const AWAY: ReadonlySet<unknown> = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
]);

/** The same in the words of Node: no answer of DNS, no way, nobody there, or no file left for a socket. */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "EMFILE",
  "ENFILE",
]);

/**
 * The server shuts down, has crashed or is only starting, or is a standby (25006); class 08 are connections that broke,
 * class 53 what the server itself lacks: room on its disk, memory, a connection.
 */
const GOING = /^(?:57P0[123]|25006|53...|08...)$/;

/** pg says these by their texts alone. */
const BROKEN =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Prisma's own: no connection came free for a transaction in time. */
const NO_TRANSACTION = "P2028";

/**
 * Whether a failure says that the database cannot be asked now, or that this process lacks its keys by now, which others
 * have: the same may succeed a moment later.
 */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof KeyMissing || error instanceof KeysReplaced) return true;
  const { code, message = "" } = (error ?? {}) as { code?: unknown; message?: string };
  if (code === NO_TRANSACTION || UNCONNECTED.has(code) || AWAY.has(adapterCause(error)?.kind)) return true;
  return GOING.test(sqlState(error) ?? "") || BROKEN.test(message);
}
