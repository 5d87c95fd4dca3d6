import { readFileSync } from "node:fs";
import {
  defaultErrorSystems,
  type ErrorSystem,
  type ErrorSystems,
  type Language,
  languages,
} from "../src/errors/index.ts";
import type { ClientTls } from "./transport/channels.ts";

/** Settings of a gateway that runs apart from its core; docs/configuration.md has those of both. */
export interface GatewaySettings {
  readonly httpHost: string;
  readonly httpPort: number;
  /** Where the core is, as a gRPC target. */
  readonly coreAddress: string;
  /** Connections to the core. */
  readonly coreChannels: number;
  /** Whether look-ups made at the same moment are sent to the core together. */
  readonly gatherCalls: boolean;
  readonly publicUrl: string | undefined;
  readonly defaultLanguage: Language;
  readonly bodyLimit: number;
  readonly corsOrigins: readonly string[];
  readonly maxInFlight: number;
  readonly shutdownGrace: number;
  readonly logLevel: string;
  readonly errorSystems: ErrorSystems;
  /** PEM; undefined for plain HTTP. */
  readonly httpTls: { readonly certificate: Buffer; readonly key: Buffer } | undefined;
  /** Towards the core; undefined for plain text. */
  readonly coreTls: ClientTls | undefined;
}

/** Settings that cannot be used: a line for each, with its reason. */
export class GatewaySettingsError extends Error {
  override readonly name = "GatewaySettingsError";
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings; an empty variable counts as unset. Everything that is wrong is said at once. */
export function parseGatewaySettings(environment: Environment): GatewaySettings {
  const { read, wrong } = readerOf(environment);
  const pem = (name: string) => read<Buffer | undefined>(name, pemFile, undefined);
  const settings: GatewaySettings = {
    httpHost: read("MPI_HTTP_HOST", anyText, "127.0.0.1"),
    httpPort: read("MPI_HTTP_PORT", between(0, 65_535), 8080),
    coreAddress: read("MPI_CORE_ADDRESS", anyText, "127.0.0.1:50051"),
    coreChannels: read("MPI_CORE_CHANNELS", between(1, 64), 1),
    gatherCalls: read("MPI_GATHER_CALLS", onOrOff, true),
    publicUrl: read<string | undefined>("MPI_PUBLIC_URL", webAddress, undefined),
    defaultLanguage: read("MPI_DEFAULT_LANGUAGE", among<Language>(languages), "et"),
    corsOrigins: read<readonly string[]>("MPI_CORS_ORIGINS", origins, []),
    bodyLimit: read("MPI_BODY_LIMIT", between(1024, 64 * 1024 * 1024), 1024 * 1024),
    maxInFlight: read("MPI_MAX_IN_FLIGHT", between(1, 100_000), 512),
    shutdownGrace: read("MPI_SHUTDOWN_GRACE_MS", between(0, 600_000), 10_000),
    logLevel: read("MPI_LOG_LEVEL", among(LOG_LEVELS), "info"),
    errorSystems: mapSystems((system, uri) => read(`MPI_ERROR_SYSTEM_${system}`, webAddress, uri)),
    httpTls: pairOf(pem("MPI_HTTP_TLS_CERTIFICATE"), pem("MPI_HTTP_TLS_KEY")),
    coreTls: coreTls(
      pem("MPI_GRPC_TLS_CA"),
      pairOf(pem("MPI_GRPC_TLS_CERTIFICATE"), pem("MPI_GRPC_TLS_KEY")),
    ),
  };
  for (const [one, other] of TLS_PAIRS) {
    if (!environment[one] !== !environment[other]) wrong.push(`${one} and ${other} must be set together.`);
  }
  if (wrong.length > 0) throw new GatewaySettingsError(wrong.join("\n"));
  return settings;
}

/** A parser gives the value, or the words that follow the name of a setting that is none. */
type Parse<Value> = (text: string) => { readonly value: Value } | { readonly wrong: string };

function readerOf(environment: Environment) {
  const wrong: string[] = [];
  const read = <Value>(name: string, parse: Parse<Value>, fallback: NoInfer<Value>): Value => {
    const given = environment[name];
    if (given === undefined || given === "") return fallback;
    const parsed = parse(given);
    if ("value" in parsed) return parsed.value;
    wrong.push(`${name} ${parsed.wrong}.`);
    return fallback;
  };
  return { read, wrong };
}

function mapSystems(uriOf: (system: ErrorSystem, uri: string) => string): ErrorSystems {
  const entries = Object.entries(defaultErrorSystems) as [ErrorSystem, string][];
  return Object.fromEntries(
    entries.map(([system, uri]) => [system, uriOf(system, uri)]),
  ) as unknown as ErrorSystems;
}

const TLS_PAIRS = [
  ["MPI_HTTP_TLS_CERTIFICATE", "MPI_HTTP_TLS_KEY"],
  ["MPI_GRPC_TLS_CERTIFICATE", "MPI_GRPC_TLS_KEY"],
] as const;

interface Pair {
  readonly certificate: Buffer;
  readonly key: Buffer;
}

function pairOf(certificate: Buffer | undefined, key: Buffer | undefined): Pair | undefined {
  return certificate && key && { certificate, key };
}

function coreTls(ca: Buffer | undefined, pair: Pair | undefined): ClientTls | undefined {
  return ca && { ca, ...pair };
}

function pemFile(path: string): ReturnType<Parse<Buffer>> {
  try {
    const value = readFileSync(path);
    return value.includes("-----BEGIN ") ? { value } : { wrong: "must be a file in PEM" };
  } catch (cause) {
    return { wrong: `must be a file that can be read (${(cause as NodeJS.ErrnoException).code})` };
  }
}

function onOrOff(text: string): ReturnType<Parse<boolean>> {
  return text === "on" || text === "off" ? { value: text === "on" } : { wrong: "must be on or off" };
}

function anyText(value: string): { readonly value: string } {
  return { value };
}

function webAddress(text: string): ReturnType<Parse<string>> {
  const isWeb = URL.canParse(text) && /^https?:\/\//.test(text);
  return isWeb ? { value: text.replace(/\/+$/, "") } : { wrong: "must be an http or https URL" };
}

/** Origins of web pages, separated by commas or spaces; `*` is any. */
function origins(text: string): ReturnType<Parse<readonly string[]>> {
  const all = text.split(/[\s,]+/).filter((one) => one !== "");
  const areOrigins = all.every((one) => one === "*" || (URL.canParse(one) && new URL(one).origin === one));
  return areOrigins ? { value: all } : { wrong: "must be origins such as https://portal.example.ee, or *" };
}

function between(least: number, most: number): Parse<number> {
  return (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? { value: Number(text) }
      : { wrong: `must be a whole number from ${least} to ${most}` };
}

function among<const Value extends string>(values: readonly Value[]): Parse<Value> {
  return (text) => {
    const value = values.find((one) => one === text);
    return value === undefined ? { wrong: `must be one of ${values.join(", ")}` } : { value };
  };
}
