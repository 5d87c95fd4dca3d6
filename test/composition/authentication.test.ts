import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { missingCallerSettings } from "../../src/composition/authentication.ts";
import { parseSettings, type Settings } from "../../src/config.ts";
import { startRegisters, startService, startWorkerService } from "../../src/service.ts";

const at = "http://127.0.0.1:1/r1/EE/GOV/70000001/any";
const real = { rrUrl: at, adsUrl: at, torUrl: at, skaUrl: at, tkUrl: at, wmUrl: at };
const jwksUrl = "https://issuer.example/keys";
const tokenIssuer = "https://issuer.example";

function missingIn(changes: Partial<Settings>): string[] {
  return missingCallerSettings({ ...parseSettings({}), ...changes });
}

describe("the settings by which callers are known", () => {
  test.each<[string, Partial<Settings>]>([
    ["none at all, with a sandbox", {}],
    ["a token issuer, whichever registers there are", { ...real, jwksUrl, tokenIssuer }],
    ["headers and a role", { ...real, callerMode: "headers", assumedRole: "doctor" }],
  ])("are enough: %s", (_, changes) => {
    expect(missingIn(changes)).toEqual([]);
  });

  test.each<[string, Partial<Settings>, RegExp]>([
    ["real registers without a token issuer", real, /^MPI_JWKS_URL .* must be set/],
    ["adapters elsewhere without a token issuer", { registersAddress: "registers:50052" }, /^MPI_JWKS_URL/],
    ["keys of nobody", { jwksUrl }, /^MPI_JWKS_URL and MPI_TOKEN_ISSUER must be set together/],
    ["an issuer without keys", { tokenIssuer }, /^MPI_JWKS_URL and MPI_TOKEN_ISSUER must be set together/],
    ["headers without a role", { callerMode: "headers" }, /^MPI_ASSUMED_ROLE must be set/],
  ])("are not enough: %s", (_, changes, said) => {
    expect(missingIn(changes)).toEqual([expect.stringMatching(said)]);
  });

  test("stop the start where they are not enough, before anything is opened", async () => {
    const settings = { ...parseSettings({ DATABASE_URL: "postgres://127.0.0.1:1/none" }), ...real };
    const options = {
      settings,
      log: pino({ level: "silent" }),
      progress: () => undefined,
      withGateway: true,
    };
    await expect(startService(options)).rejects.toThrow("MPI_JWKS_URL and MPI_TOKEN_ISSUER must be set");
  });

  test("stop the start where clients are to show certificates, and there is none to speak TLS with", async () => {
    const grpcAuthority = Buffer.from("authority");
    const settings = { ...parseSettings({ DATABASE_URL: "postgres://127.0.0.1:1/none" }), grpcAuthority };
    const options = { settings, log: pino({ level: "silent" }), progress: () => undefined };
    const said = "MPI_GRPC_TLS_CA needs MPI_GRPC_TLS_CERTIFICATE and MPI_GRPC_TLS_KEY";
    await expect(startService({ ...options, withGateway: true })).rejects.toThrow(said);
    await expect(startWorkerService({ ...options, withGateway: true })).rejects.toThrow(said);
    await expect(startRegisters(options)).rejects.toThrow(said);
  });

  test.each([
    ["MPI_TOKEN_ALGORITHMS", "HS256"],
    ["MPI_TOKEN_ALGORITHMS", "ES256, none"],
    ["MPI_TOKEN_ALGORITHMS", ","],
    ["MPI_CALLER_MODE", "nobody"],
    ["MPI_JWKS_URL", "file:///keys"],
  ])("cannot be %s=%s", (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(name);
  });
});
