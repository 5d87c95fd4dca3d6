import { hash } from "node:crypto";
import { jwtVerify } from "jose";
import { ExpiringMemory } from "../../concurrency/expiring-memory.ts";
import { MpiError } from "../../errors/index.ts";
import { type Claims, claimsOf } from "../callers/claims.ts";
import type { TokenVerifier } from "../ports.ts";
import { IssuerKeys, type IssuerKeysOptions, KeysUnavailable } from "./issuer-keys.ts";

/** What signatures may be made with, at most: by a private key that only the issuer has. */
export const signatureAlgorithms = [
  "ES256",
  "ES384",
  "ES512",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
  "EdDSA",
] as const;

/** Whose tokens are good, and which of them. */
export interface IssuerTrust extends IssuerKeysOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly (typeof signatureAlgorithms)[number][];
  /** By how much the issuer's clock and ours may differ. */
  readonly clockSkewMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Tokens that may be remembered once they were checked. */
  readonly remembered: number;
}

/** The compact form of RFC 7515 with its one spelling; jose takes others of base 64 as well. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Checks signature, algorithm, issuer, audience, expiry (which must be there) and the beginning. A token that was
 * good is remembered by its hash until it expires or the issuer changes its keys, so the next call costs no signature.
 */
export function tokenVerifier(trust: IssuerTrust): TokenVerifier {
  const keys = new IssuerKeys(trust);
  const memory = new ExpiringMemory<Claims>(trust.remembered, trust.now);
  let generation = keys.generation;
  const check = async (token: string, name: string) => {
    if (!COMPACT.test(token)) throw refused();
    const before = keys.generation;
    const { claims, until } = await verified(token, keys, trust);
    // Keys that changed meanwhile may no longer have the one that it was checked with.
    if (before === generation && before === keys.generation) memory.keep(name, claims, until);
    return claims;
  };
  return {
    verify(token) {
      const name = hash("sha256", token, "base64");
      keys.refresh();
      if (generation !== keys.generation) {
        generation = keys.generation;
        memory.clear();
      }
      return memory.get(name) ?? check(token, name);
    },
  };
}

async function verified(
  token: string,
  keys: IssuerKeys,
  { issuer, audience, algorithms, clockSkewMs, now }: IssuerTrust,
): Promise<{ readonly claims: Claims; readonly until: number }> {
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer,
      audience,
      algorithms: [...algorithms],
      requiredClaims: ["exp"],
      clockTolerance: clockSkewMs / 1000,
      currentDate: new Date(now()),
    });
    return { claims: claimsOf(payload), until: Number(payload.exp) * 1000 + clockSkewMs };
  } catch (cause) {
    if (cause instanceof KeysUnavailable) throw new MpiError("SERVICE_UNAVAILABLE", {}, { cause });
    throw refused(cause);
  }
}

function refused(cause?: unknown): MpiError {
  return new MpiError("TOKEN_REFUSED", {}, { expression: ["http.authorization"], cause });
}
