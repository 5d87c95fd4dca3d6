import { roleGroups, signatureAlgorithms } from "../access/index.ts";
import { integer, oneOf, optional, setting, someOf, text, url } from "./setting.ts";

const roles: readonly string[] = Object.values(roleGroups).flat();

/** Settings that say how callers are known (docs/security.md). */
export const callerSettings = {
  callerMode: setting(
    "MPI_CALLER_MODE",
    oneOf(["token", "headers"] as const),
    "token",
    "How callers are known: by a `token` and the x-road headers, or, behind a security server only, by `headers` alone.",
  ),
  assumedRole: setting(
    "MPI_ASSUMED_ROLE",
    optional(oneOf(roles)),
    undefined,
    "Role of all callers who are known by headers alone, such as `doctor`; must be set for that.",
    "none",
  ),
  jwksUrl: setting(
    "MPI_JWKS_URL",
    optional(url),
    undefined,
    "Where the token issuer publishes its keys (a JSON Web Key Set).",
    "that of the sandbox, where it runs with the service",
  ),
  tokenIssuer: setting(
    "MPI_TOKEN_ISSUER",
    optional(text),
    undefined,
    "Issuer (`iss`) that tokens must have; must be set together with MPI_JWKS_URL.",
    "that of the sandbox",
  ),
  tokenAudience: setting(
    "MPI_TOKEN_AUDIENCE",
    text,
    "patient-index",
    "Audience (`aud`) that tokens must have.",
  ),
  tokenAlgorithms: setting(
    "MPI_TOKEN_ALGORITHMS",
    someOf(signatureAlgorithms),
    ["ES256", "ES384", "PS256", "PS384", "RS256", "EdDSA"],
    `Algorithms that tokens may be signed with, of ${signatureAlgorithms.join(", ")}.`,
  ),
  tokenClockSkewSeconds: setting(
    "MPI_TOKEN_CLOCK_SKEW_SECONDS",
    integer(0, 600),
    30,
    "By how much the clocks of the token issuer and the service may differ.",
  ),
  rememberedTokens: setting(
    "MPI_REMEMBERED_TOKENS",
    integer(0, 1_000_000),
    10_000,
    "Checked tokens that a process remembers until they expire; 0 checks every signature anew.",
  ),
  jwksTimeout: setting(
    "MPI_JWKS_TIMEOUT_MS",
    integer(10, 60_000),
    3_000,
    "Longest wait for the keys of the token issuer, in milliseconds.",
  ),
  jwksKeepSeconds: setting(
    "MPI_JWKS_KEEP_SECONDS",
    integer(1, 86_400),
    300,
    "Age at which the keys of the token issuer are asked for again.",
  ),
  jwksCooldownSeconds: setting(
    "MPI_JWKS_COOLDOWN_SECONDS",
    integer(0, 3_600),
    10,
    "Shortest time between two questions for keys that nobody knows.",
  ),
} as const;
