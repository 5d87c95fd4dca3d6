import type { Caller } from "../../call/caller.ts";
import type { TokenVerifier } from "../ports.ts";
import { bearerToken, callerHeaders, type ReadHeader } from "./caller-headers.ts";
import { callerOf } from "./caller-rules.ts";
import { assumedClaims } from "./claims.ts";

/** How the callers of a deployment are known: by a token and headers, or by headers alone, in an assumed role. */
export type Authentication =
  | { readonly kind: "token"; readonly verifier: TokenVerifier }
  | { readonly kind: "headers"; readonly assumedRole: string };

/** The caller of a call with these headers; throws MpiError with all that is missing or wrong. */
export async function identifyCaller(
  authentication: Authentication,
  read: ReadHeader,
  interaction: () => string,
): Promise<Caller> {
  const headers = callerHeaders(read);
  if (authentication.kind === "headers") {
    const claims = assumedClaims(authentication.assumedRole);
    return callerOf({ headers, claims, byToken: false, interaction });
  }
  const token = bearerToken(read);
  const claims = token === undefined ? undefined : await authentication.verifier.verify(token);
  return callerOf({ headers, claims, byToken: true, interaction });
}
