import { randomUUID } from "node:crypto";
import type { TokenRequest } from "../src/sandbox/tokens.ts";

/** Somebody in whose name a test asks: the user of a token. */
export type TestCaller = Omit<TokenRequest, "user"> & TokenRequest["user"];

/**
 * A doctor with every extra right, who is in the sandbox's population register. Tests ask in his name unless they say
 * otherwise.
 */
export const doctor: TestCaller = {
  personalCode: "38010130257",
  name: "Sander Oliver Luik",
  organization: "90001478",
  role: "doctor",
  application: "hospital",
  scope: "birthdate-search name legal-relationship",
};

/** The token issuers that tests know of, by the origins (and gRPC addresses) of the services that trust them. */
const issuers = new Map<string, string>();
const tokens = new Map<string, Promise<string>>();

/**
 * Whoever asks that origin, or that host and port, gets his tokens from that sandbox from now on: from a new one, for
 * what one signed that listened there before is good no more.
 */
export function trusts(origin: string, sandboxUrl: string): void {
  issuers.set(origin, sandboxUrl);
  for (const key of tokens.keys()) if (key.startsWith(`${sandboxUrl} `)) tokens.delete(key);
}

/** Every token that a test has had so far. */
export function usedTokens(): Promise<string[]> {
  return Promise.all(tokens.values());
}

/** A token of the sandbox; the same one for the same caller. */
export function tokenOf(sandboxUrl: string, caller: TestCaller = doctor): Promise<string> {
  const key = `${sandboxUrl} ${JSON.stringify(caller)}`;
  const known = tokens.get(key) ?? issueToken(sandboxUrl, caller);
  tokens.set(key, known);
  return known;
}

/**
 * The headers by which a caller is known to whoever listens at an origin, such as http://127.0.0.1:41234 or
 * 127.0.0.1:50051; none where no service of the test listens.
 */
export async function callerHeaders(
  origin: string,
  caller: TestCaller = doctor,
): Promise<Record<string, string>> {
  const sandboxUrl = issuers.get(origin);
  return sandboxUrl === undefined ? {} : headersOf(caller, await tokenOf(sandboxUrl, caller));
}

/** The headers of a caller with that token. */
export function headersOf(caller: TestCaller, token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    "x-road-id": randomUUID(),
    "x-road-userid": `EE${caller.personalCode}`,
    "x-road-client": `EE/COM/${caller.organization ?? "90001478"}/hospital`,
  };
}

/** fetch in the name of a caller; the headers given go before his. */
export async function fetchAs(
  url: string,
  init: RequestInit = {},
  caller: TestCaller | "nobody" = doctor,
): Promise<Response> {
  const headers = new Headers(caller === "nobody" ? {} : await callerHeaders(new URL(url).origin, caller));
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  return fetch(url, { ...init, headers });
}

async function issueToken(sandboxUrl: string, caller: TestCaller): Promise<string> {
  const { personalCode, name, ...rest } = caller;
  const response = await fetch(`${sandboxUrl}/v2/token`, {
    method: "POST",
    body: JSON.stringify({ user: { personalCode, name }, ...rest }),
  });
  const { accessToken } = (await response.json()) as { accessToken: string };
  return accessToken;
}
