import { fastifyCors } from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { passedHeaderNames } from "../transport/passed-headers.ts";

/** What FHIR, Connect and gRPC-Web clients send beside what browsers allow by themselves. */
const REQUEST_HEADERS: readonly string[] = [
  ...passedHeaderNames,
  "accept",
  "content-type",
  "prefer",
  "if-match",
  "if-unmodified-since",
  "if-modified-since",
  "if-none-exist",
  "if-none-match",
  "connect-protocol-version",
  "connect-timeout-ms",
  "grpc-timeout",
  "x-grpc-web",
  "x-user-agent",
];

/** What a page may read of an answer beside its body. */
const EXPOSED_HEADERS: readonly string[] = [
  "ETag",
  "Last-Modified",
  "Location",
  "Allow",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
  "Grpc-Message",
  "Grpc-Status",
  "Grpc-Status-Details-Bin",
];

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Seconds for which a browser need not ask again whether it may. */
const PREFLIGHT_HOLDS = 7200;

/**
 * Lets pages of these origins (`*` is any) use the gateway from a browser. It answers their preflights itself, before
 * anything asks for a token: a browser sends none with them. No origin, no CORS at all.
 */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  // Called, not registered: so its hook comes before those that may refuse a request.
  fastifyCors(
    server,
    {
      origin: origins.includes("*") ? "*" : [...origins],
      methods: [...METHODS],
      allowedHeaders: [...REQUEST_HEADERS],
      exposedHeaders: [...EXPOSED_HEADERS],
      maxAge: PREFLIGHT_HOLDS,
      strictPreflight: false,
    },
    (error) => {
      if (error) throw error;
    },
  );
}
