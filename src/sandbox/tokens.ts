import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from "jose";

/** Issuer and audience of the sandbox's tokens. */
export const TOKEN_ISSUER = "https://sandbox.patient-index.invalid";
const TOKEN_AUDIENCE = "patient-index";
const LIFETIME_S = 3600;
const ALGORITHM = "ES256";

/** What is asked for at POST /v2/token. */
export interface TokenRequest {
  readonly user: { readonly personalCode: string; readonly name?: string };
  readonly organization?: string;
  readonly role?: string;
  readonly application?: string;
  readonly scope?: string;
  /** Personal code of the represented person, for representatives. */
  readonly patient?: string;
}

export interface TokenAnswer {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly tokenType: "Bearer";
}

/** Issues development tokens; the key is made at the start and never leaves the process. */
export interface TokenIssuer {
  readonly jwks: JSONWebKeySet;
  issue(request: TokenRequest): Promise<TokenAnswer>;
}

export async function tokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
  const kid = randomUUID();
  return {
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: "sig" }] },
    async issue({ user, organization, role, application, scope, patient }) {
      const { personalCode, name } = user;
      const accessToken = await new SignJWT({
        personalCode,
        name,
        organization,
        role,
        application,
        scope,
        patient,
      })
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .setIssuer(TOKEN_ISSUER)
        .setAudience(TOKEN_AUDIENCE)
        .setSubject(personalCode)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_S}s`)
        .sign(privateKey);
      return { accessToken, expiresIn: LIFETIME_S, tokenType: "Bearer" };
    },
  };
}
