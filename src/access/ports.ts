import type { Claims } from "./callers/claims.ts";

/** Checks access tokens. */
export interface TokenVerifier {
  /**
   * What a valid token says of its user. Throws MpiError TOKEN_REFUSED for any other, and SERVICE_UNAVAILABLE while
   * the key that would tell cannot be had. Answers at once for one that was checked before.
   */
  verify(token: string): Claims | Promise<Claims>;
}
