import type { Caller, KnownOfCaller } from "../../call/caller.ts";
import { MpiError } from "../../errors/index.ts";
import type { TokenVerifier } from "../ports.ts";
import { bearerToken, callerHeaders, decodedIssue, type ReadHeader } from "./caller-headers.ts";
import { type AskedOfCaller, callerOf, knownOf } from "./caller-rules.ts";
import { assumedClaims, type Claims } from "./claims.ts";

/** How the callers of a deployment are known: by a token and headers, or by headers alone, in an assumed role. */
export type Authentication =
  | { readonly kind: "token"; readonly verifier: TokenVerifier }
  | { readonly kind: "headers"; readonly assumedRole: string };

/**
 * The caller of a call with these headers; throws MpiError with all that is missing or wrong. `learn` is told before
 * that what is known, so that a refusal can be put down to whom it concerned.
 */
export async function identifyCaller(
  authentication: Authentication,
  read: ReadHeader,
  asked: AskedOfCaller,
  learn: (known: KnownOfCaller) => void,
): Promise<Caller> {
  const headers = callerHeaders(read);
  learn({ issue: decodedIssue(headers.issue) });
  const found = await claimsOrRefusal(authentication, read);
  const said = { headers, ...found, byToken: authentication.kind === "token", asked };
  learn(knownOf(said));
  return callerOf(said);
}

/** A token that is refused is one fault of those that the caller is told. */
async function claimsOrRefusal(authentication: Authentication, read: ReadHeader) {
  try {
    return { claims: await claimsBy(authentication, read), refusal: undefined };
  } catch (error) {
    const isOfToken =
      error instanceof MpiError && (error.says("TOKEN_REFUSED") || error.says("TOKEN_REPEATED"));
    if (!isOfToken) throw error;
    return { claims: undefined, refusal: error };
  }
}

/** Undefined without the token that there should be; throws MpiError for one that is not good. */
function claimsBy(authentication: Authentication, read: ReadHeader): Claims | undefined | Promise<Claims> {
  if (authentication.kind === "headers") return assumedClaims(authentication.assumedRole);
  const token = bearerToken(read);
  return token === undefined ? undefined : authentication.verifier.verify(token);
}
