import type { Logger } from "pino";
import { type Authentication, tokenVerifier } from "../access/index.ts";
import type { Settings } from "../config.ts";
import { causesOf } from "../errors/index.ts";
import { CheckedAuthors } from "../registers/index.ts";
import type { PopulationRegister } from "../registers/ports.ts";
import type { Sandbox } from "../sandbox/index.ts";
import type { callerSettings } from "../settings/caller-settings.ts";
import { runsSandbox } from "./register-addresses.ts";

/** The settings of the same names. */
type CallerSettings = Pick<Settings, keyof typeof callerSettings>;

/** The settings of the same names. */
interface AuthorSettings {
  readonly authorCheck: boolean;
  readonly anonymousCode: string;
  readonly registerKeepSeconds: number;
}

/** To be logged where the sandbox is the token issuer. */
export const TOKENS_OF_SANDBOX = "tokens of the sandbox are good here: anybody on this machine is given one";

/** What is missing in the settings to know callers by: a line for each. */
export function missingCallerSettings(
  settings: CallerSettings & Parameters<typeof runsSandbox>[0],
): string[] {
  const { callerMode, assumedRole, jwksUrl, tokenIssuer } = settings;
  if (callerMode === "headers") {
    return assumedRole ? [] : ["MPI_ASSUMED_ROLE must be set where MPI_CALLER_MODE is headers."];
  }
  if ((jwksUrl === undefined) !== (tokenIssuer === undefined)) {
    return ["MPI_JWKS_URL and MPI_TOKEN_ISSUER must be set together."];
  }
  if (jwksUrl !== undefined) return [];
  return runsSandbox(settings)
    ? []
    : ["MPI_JWKS_URL and MPI_TOKEN_ISSUER must be set: no sandbox runs here that would issue tokens."];
}

/** How callers are known by these settings; the sandbox, where it runs, is the token issuer unless there is another. */
export function authenticationOf(
  settings: CallerSettings,
  sandbox: Pick<Sandbox, "tokens"> | undefined,
  log: Logger,
): Authentication {
  if (settings.callerMode === "headers") return { kind: "headers", assumedRole: settings.assumedRole ?? "" };
  const url = settings.jwksUrl ?? sandbox?.tokens.jwksUrl;
  const issuer = settings.tokenIssuer ?? sandbox?.tokens.issuer;
  if (settings.jwksUrl === undefined) log.warn(TOKENS_OF_SANDBOX);
  if (url === undefined || issuer === undefined) throw new TypeError("There is no token issuer.");
  const verifier = tokenVerifier({
    url,
    issuer,
    audience: settings.tokenAudience,
    algorithms: settings.tokenAlgorithms,
    clockSkewMs: settings.tokenClockSkewSeconds * 1000,
    remembered: settings.rememberedTokens,
    timeoutMs: settings.jwksTimeout,
    keepMs: settings.jwksKeepSeconds * 1000,
    cooldownMs: settings.jwksCooldownSeconds * 1000,
    now: Date.now,
    elapsed: () => performance.now(),
    onFailure: (error) =>
      log.warn({ causes: causesOf(error) }, "the token issuer did not say which keys it has"),
  });
  return { kind: "token", verifier };
}

/** The check of authors in the population register, where it is done at all. */
export function checkedAuthors(
  { authorCheck, anonymousCode, registerKeepSeconds }: AuthorSettings,
  population: PopulationRegister,
  log: Logger,
): CheckedAuthors[] {
  if (!authorCheck) return [];
  const keepMs = registerKeepSeconds * 1000;
  const onFailure = (error: unknown) =>
    log.warn(
      { causes: causesOf(error) },
      "the population register did not say whether an author is still there",
    );
  return [new CheckedAuthors({ population, anonymousCode, keepMs, now: Date.now, onFailure })];
}
