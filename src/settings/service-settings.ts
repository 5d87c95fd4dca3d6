import { callerSettings } from "./caller-settings.ts";
import { httpSettings } from "./http-settings.ts";
import { jobsSettings } from "./jobs-settings.ts";
import { keySettings } from "./key-settings.ts";
import { metricsSettings } from "./metrics-settings.ts";
import { registerSettings } from "./register-settings.ts";
import { databaseUrl, flag, integer, oneOf, optional, port, setting, text } from "./setting.ts";
import { tlsSettings, xRoadTlsSettings } from "./tls-settings.ts";
import { tracesSettings } from "./traces-settings.ts";

/** Every setting of the service, in the order of docs/configuration.md. */
export const serviceSettings = {
  ...httpSettings,
  grpcHost: setting("MPI_GRPC_HOST", text, "127.0.0.1", "Address that gRPC listens on."),
  grpcPort: setting("MPI_GRPC_PORT", port, 50051, "Port of gRPC; 0 takes a free one."),
  workers: setting(
    "MPI_WORKERS",
    integer(1, 256),
    1,
    "Processes that serve these ports together; as many as there are cores is a good number. Limits and pools are each one's own.",
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
    "Named prepared statements; `off` behind PgBouncer before 1.21 (docs/storage.md).",
  ),
  gatherLookups: setting(
    "MPI_GATHER_LOOKUPS",
    flag,
    true,
    "Look-ups of many requests go to the database as one statement, and so does all that a write of a patient does; `off` for a cluster, where each would ask every shard.",
  ),
  callerRate: setting(
    "MPI_CALLER_RATE",
    integer(0, 1_000_000),
    500,
    "Requests a second that a process takes of one caller, and a tenth of it of all callers together who have no good token (429 above); 0 for any number. Unless it is 0, one caller also has half of MPI_MAX_IN_FLIGHT streams open at most.",
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
  ...callerSettings,
  ...jobsSettings,
  ...registerSettings,
  ...tlsSettings,
  ...xRoadTlsSettings,
  ...metricsSettings,
  ...tracesSettings,
} as const;
