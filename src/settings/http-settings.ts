import { type Language, languages } from "../errors/index.ts";
import { baseUrl, integer, oneOf, optional, origins, port, setting, text } from "./setting.ts";

/** Settings of a process that serves the FHIR interface, whether its core is in it or apart. */
export const httpSettings = {
  httpHost: setting(
    "MPI_HTTP_HOST",
    text,
    "127.0.0.1",
    "Address that the FHIR interface listens on; `::` for all.",
  ),
  httpPort: setting("MPI_HTTP_PORT", port, 8080, "Port of the FHIR interface; 0 takes a free one."),
  publicUrl: setting(
    "MPI_PUBLIC_URL",
    optional(baseUrl),
    undefined,
    "Base of links and Location, such as `https://mpi.example.ee`.",
    "the Host of the request",
  ),
  defaultLanguage: setting(
    "MPI_DEFAULT_LANGUAGE",
    oneOf<Language>(languages),
    "et",
    `Language of error texts for callers who ask for none of ours: ${languages.map((language) => `\`${language}\``).join(" or ")}.`,
  ),
  bodyLimit: setting(
    "MPI_BODY_LIMIT",
    integer(1024, 64 * 1024 * 1024),
    1024 * 1024,
    "Largest body of a request, in bytes; a core apart takes as much, and 4 MiB at least: more is to be set for both.",
  ),
  maxInFlight: setting(
    "MPI_MAX_IN_FLIGHT",
    integer(1, 100_000),
    512,
    "Requests that a process has at once, those that wait for their turn among them; more are told to come back (429).",
  ),
  corsOrigins: setting(
    "MPI_CORS_ORIGINS",
    origins,
    [],
    "Origins whose pages may use the FHIR interface, Connect and gRPC-Web from a browser, separated by commas, such as `https://portal.example.ee`; `*` is any.",
    "none",
  ),
  shutdownGrace: setting(
    "MPI_SHUTDOWN_GRACE_MS",
    integer(0, 600_000),
    10_000,
    "How long requests that run may go on when the service is told to stop, in milliseconds.",
  ),
  shutdownLastRequests: setting(
    "MPI_SHUTDOWN_LAST_REQUESTS_MS",
    integer(0, 600_000),
    250,
    "How long, of that time, HTTP connections that are open may bring one request more, whose answer ends them, in milliseconds.",
  ),
  logLevel: setting(
    "MPI_LOG_LEVEL",
    oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const),
    "info",
    "Log level, to standard error: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.",
  ),
} as const;
