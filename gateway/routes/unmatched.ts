import { catalogueVersions, GrpcStatus, MpiError } from "../../src/errors/index.ts";
import { contracts, unknownVersionOf } from "../exchange/contracts.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { documentationPaths } from "./documentation.ts";
import { healthPaths } from "./health.ts";
import { pathPattern, requestName } from "./path-pattern.ts";

/** Why a request met no route, and which methods it might have used. */
export interface Unmatched {
  readonly error: MpiError;
  /** For the Allow header; empty when the path itself is not known. */
  readonly allowed: readonly string[];
}

/** Explains a request that met none of these interactions. */
export type ExplainUnmatched = (method: string, path: string) => Unmatched;

export function unmatchedBy(interactions: readonly Interaction[]): ExplainUnmatched {
  const base = `(?:${contracts.map(({ basePath }) => RegExp.escape(basePath)).join("|")})`;
  const routes = [
    ...interactions.map(({ method, path }) => ({ method, path, pattern: pathPattern(base, path) })),
    ...[...Object.keys(healthPaths), ...documentationPaths].map((path) => ({
      method: "GET",
      path,
      pattern: new RegExp(`^${path}/?$`),
    })),
  ];
  return (method, path) => {
    const fitting = routes.filter(({ pattern }) => pattern.test(path));
    const methods = fitting.flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
    const allowed = [...new Set(methods)];
    if (fitting[0] && !allowed.includes(method)) {
      const interaction = requestName(method, fitting[0].path);
      return { error: new MpiError("INTERACTION_NOT_OFFERED", { interaction }), allowed };
    }
    return { error: unknownPath(path), allowed: [] };
  };
}

/** Fastify refuses QUERY without a Content-Type (RFC 10008, 2) before it looks for a route, and none is of QUERY. */
export function isOfUnmatchedMethod(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE";
}

/** Ids begin with neither: those are the names of operations and of FHIR's own paths. */
export function isReservedName(part: string | undefined): boolean {
  return part !== undefined && (part.startsWith("$") || part.startsWith("_"));
}

function unknownPath(path: string): MpiError {
  const version = unknownVersionOf(path);
  if (version === undefined) return new MpiError("ROUTE_UNKNOWN", { path });
  const allowed = catalogueVersions.join(", ");
  return new MpiError("VERSION_UNKNOWN", { version, allowed }, { status: GrpcStatus.NOT_FOUND });
}
