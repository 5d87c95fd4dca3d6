import {
  defaultErrorSystems,
  type ErrorSystem,
  type ErrorSystems,
  type Language,
  languages,
} from "./errors/index.ts";
import { callerSettings } from "./settings/caller-settings.ts";
import { jobsSettings } from "./settings/jobs-settings.ts";
import { keySettings } from "./settings/key-settings.ts";
import { registerSettings } from "./settings/register-settings.ts";
import {
  databaseUrl,
  flag,
  integer,
  oneOf,
  optional,
  origins,
  port,
  type Setting,
  setting,
  text,
  url,
} from "./settings/setting.ts";
import { tlsPairs, tlsSettings } from "./settings/tls-settings.ts";

/** Every setting of the service, in the order of docs/configuration.md. */
export const settingsTable = {
  httpHost: setting(
    "MPI_HTTP_HOST",
    text,
    "127.0.0.1",
    "Address that the FHIR interface listens on; `::` for all.",
  ),
  httpPort: setting("MPI_HTTP_PORT", port, 8080, "Port of the FHIR interface; 0 takes a free one."),
  grpcHost: setting("MPI_GRPC_HOST", text, "127.0.0.1", "Address that gRPC listens on."),
  grpcPort: setting("MPI_GRPC_PORT", port, 50051, "Port of gRPC; 0 takes a free one."),
  workers: setting(
    "MPI_WORKERS",
    integer(1, 256),
    1,
    "Processes that serve these ports together; as many as there are cores is a good number. Limits and pools are each one's own.",
  ),
  publicUrl: setting(
    "MPI_PUBLIC_URL",
    optional(url),
    undefined,
    "Base of links and Location, such as `https://mpi.example.ee`.",
    "the Host of the request",
  ),
  dataDirectory: setting(
    "MPI_DATA_DIR",
    optional(text),
    undefined,
    "Folder of the embedded database and the key file.",
    "`.data` in the clone; for root in a clone that is closed to others, a folder under `/var/lib/patient-index`",
  ),
  keyFile: setting(
    "MPI_KEY_FILE",
    optional(text),
    undefined,
    "File of the keys that identifiers are sealed with; made at the first start, mode 0600. Lost means lost.",
    "`keys.json` in MPI_DATA_DIR",
  ),
  ...keySettings,
  databaseUrl: setting(
    "DATABASE_URL",
    optional(databaseUrl),
    undefined,
    "PostgreSQL 15 or newer, such as `postgres://user:password@host/mpi`.",
    "the embedded PostgreSQL",
  ),
  databasePool: setting(
    "MPI_DATABASE_POOL",
    integer(1, 1000),
    16,
    "Connections to the database that a process may hold.",
  ),
  preparedStatements: setting(
    "MPI_PREPARED_STATEMENTS",
    flag,
    true,
    "Named prepared statements; `off` behind PgBouncer before 1.21.",
  ),
  gatherLookups: setting(
    "MPI_GATHER_LOOKUPS",
    flag,
    true,
    "Look-ups of many requests go to the database as one statement, and so does all that a write of a patient does; `off` for a cluster, where each would ask every shard.",
  ),
  defaultLanguage: setting(
    "MPI_DEFAULT_LANGUAGE",
    oneOf<Language>(languages),
    "et",
    "Language of error texts for callers who ask for none of ours: `et` or `en`.",
  ),
  bodyLimit: setting(
    "MPI_BODY_LIMIT",
    integer(1024, 64 * 1024 * 1024),
    1024 * 1024,
    "Largest body of a request, in bytes.",
  ),
  maxInFlight: setting(
    "MPI_MAX_IN_FLIGHT",
    integer(1, 100_000),
    512,
    "Requests that a process works on at once; more are told to come back (429).",
  ),
  callerRate: setting(
    "MPI_CALLER_RATE",
    integer(0, 1_000_000),
    500,
    "Requests a second that a process takes of one caller (429 above); 0 for any number.",
  ),
  corsOrigins: setting(
    "MPI_CORS_ORIGINS",
    origins,
    [],
    "Origins whose pages may use the FHIR interface, Connect and gRPC-Web from a browser, separated by commas, such as `https://portal.example.ee`; `*` is any.",
    "none",
  ),
  searchMaximum: setting(
    "MPI_SEARCH_MAXIMUM",
    integer(1, 100_000),
    1000,
    "Matches that a search may have in all (MPI-027).",
  ),
  batchLimit: setting(
    "MPI_BATCH_LIMIT",
    integer(1, 10_000),
    100,
    "Identifiers of a patient-identifier lookup (MPI-095).",
  ),
  contactLimit: setting(
    "MPI_CONTACT_LIMIT",
    integer(0, 9999),
    3,
    "Valid contact persons of kind CON that a patient may have (MPI-042).",
  ),
  wmMode: setting(
    "MPI_WM_MODE",
    oneOf(["outbox", "sync"] as const),
    "outbox",
    "When the WM service is told of a link: after it (`outbox`), or before its commit, which then depends on it (`sync`).",
  ),
  audit: setting(
    "MPI_AUDIT",
    flag,
    true,
    "The audit trail. `off` is for measurements only: then nothing that is read or written leaves a trace.",
  ),
  shutdownGrace: setting(
    "MPI_SHUTDOWN_GRACE_MS",
    integer(0, 600_000),
    10_000,
    "How long requests that run may go on when the service is told to stop, in milliseconds.",
  ),
  ...callerSettings,
  ...jobsSettings,
  ...registerSettings,
  ...tlsSettings,
  logLevel: setting(
    "MPI_LOG_LEVEL",
    oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const),
    "info",
    "Log level, to standard error: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.",
  ),
} as const;

type Table = typeof settingsTable;

export type Settings = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
} & {
  readonly errorSystems: ErrorSystems;
};

/** Settings that cannot be used, each with its reason; the service does not start with them. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Refuses to start with settings that are wrong or missing, each told in words. */
export function refuseSettings(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new SettingsError(wrong.join("\n"));
}

/** Reads the settings of the environment; an empty variable counts as unset. Everything that is wrong is said at once. */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const wrong: string[] = [];
  const read = <Value>({ name, parse, fallback }: Setting<Value>): Value => {
    const given = environment[name];
    if (given === undefined || given === "") return fallback;
    try {
      return parse(given);
    } catch (cause) {
      wrong.push(`${name} ${(cause as Error).message}.`);
      return fallback;
    }
  };
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([key, entry]) => [key, read(entry as Setting<unknown>)]),
  );
  const errorSystems = Object.fromEntries(
    errorSystemSettings().map(([system, entry]) => [system, read(entry)]),
  ) as unknown as ErrorSystems;
  for (const [one, other] of tlsPairs) {
    if (!environment[one] !== !environment[other]) wrong.push(`${one} and ${other} must be set together.`);
  }
  refuseSettings(wrong);
  return { ...(values as Omit<Settings, "errorSystems">), errorSystems };
}

/** MPI_ERROR_SYSTEM_*: the URIs of the error systems. */
export function errorSystemSettings(): [ErrorSystem, Setting<string>][] {
  return Object.entries(defaultErrorSystems).map(([system, uri]) => [
    system as ErrorSystem,
    setting(`MPI_ERROR_SYSTEM_${system}`, url, uri, `URI of the error system ${system}.`),
  ]);
}
