import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from "jose";
import { doctor } from "../callers.ts";

export const AUDIENCE = "patient-index";

/** A pair of keys as an issuer has it. */
export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** The public one, as it is published. */
  readonly jwk: JWK;
}

/** A token issuer of which a test holds the keys. */
export interface TestIssuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** What is published: a test may change it. */
  keys: readonly JWK[];
  /** How the next questions for keys are met. */
  mood: "answers" | "hangs" | "fails" | "babbles" | "floods";
  /** How often keys were asked for. */
  asked: number;
  stop(): Promise<void>;
}

export async function startIssuer(...keys: readonly SigningKey[]): Promise<TestIssuer> {
  const server = createServer((_request, response) => {
    issuer.asked++;
    if (issuer.mood === "hangs") return;
    if (issuer.mood === "fails") response.writeHead(500).end();
    else if (issuer.mood === "babbles") response.end("<html>");
    else if (issuer.mood === "floods") response.end(JSON.stringify({ keys: issuer.keys }).padEnd(3_000_000));
    else response.end(JSON.stringify({ keys: issuer.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    issuer: url,
    jwksUrl: `${url}/keys`,
    keys: keys.map(({ jwk }) => jwk),
    mood: "answers",
    asked: 0,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return issuer;
}

export async function signingKey(alg = "ES256"): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** The claims of a good token of a doctor; what is given replaces them, undefined takes one away. */
export function goodClaims(issuer: Pick<TestIssuer, "issuer">, changes: object = {}) {
  const now = Math.floor(Date.now() / 1000);
  return { ...doctor, iss: issuer.issuer, aud: AUDIENCE, iat: now, exp: now + 600, ...changes };
}

/** A token with these claims, signed by a key. */
export function signed(
  { alg, kid, privateKey }: Pick<SigningKey, "alg" | "kid"> & { readonly privateKey: CryptoKey | Uint8Array },
  claims: object,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
}
