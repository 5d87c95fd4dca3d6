import { createHmac, createPublicKey, sign } from "node:crypto";
import { CompactEncrypt, CompactSign, exportPKCS8, exportSPKI, FlattenedSign, importJWK } from "jose";
import { doctor } from "../callers.ts";
import { goodClaims, type SigningKey, signed, type TestIssuer } from "./test-issuer.ts";

/** What a forger may know and have: a good token, the published keys, and keys of his own. */
export interface Forging {
  readonly issuer: TestIssuer;
  /** The issuer's keys, the one that it signs with first. */
  readonly elliptic: SigningKey;
  readonly rsa: SigningKey;
  readonly own: SigningKey;
  readonly good: string;
}

/** An attempt to get in; the Authorization header in which it is made. */
export interface Forgery {
  readonly what: string;
  readonly authorization: (forging: Forging) => Promise<string> | string;
  /** The user whom the headers name, that of the token unless given. */
  readonly user?: string;
  /** Without any token at all, as far as can be seen. */
  readonly isMissing?: true;
}

const HOUR_S = 3600;
const now = () => Math.floor(Date.now() / 1000);
const base64 = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A good token but for some of its claims, signed by the issuer itself. */
function claiming(what: string, changes: (issuer: TestIssuer) => object): Forgery {
  return {
    what,
    authorization: ({ issuer, elliptic }) => bearer(signed(elliptic, goodClaims(issuer, changes(issuer)))),
  };
}

/** A token whose header and signature are of the forger's making. */
function made(what: string, token: (forging: Forging) => Promise<string> | string): Forgery {
  return { what, authorization: (forging) => bearer(token(forging)) };
}

async function bearer(token: Promise<string> | string): Promise<string> {
  return `Bearer ${await token}`;
}

function unsigned(issuer: TestIssuer, alg: string): string {
  return `${base64({ alg, typ: "JWT" })}.${base64(goodClaims(issuer))}.`;
}

/** Signed with a shared secret, which is something that everybody knows. */
function byPublicKey({ issuer, rsa }: Forging, secret: string | Buffer, alg = "HS256"): string {
  const content = `${base64({ alg, kid: rsa.kid })}.${base64(goodClaims(issuer))}`;
  return `${content}.${createHmac(alg.replace("HS", "sha"), secret).update(content).digest("base64url")}`;
}

async function publicPem({ jwk }: SigningKey): Promise<string> {
  return exportSPKI((await importJWK(jwk)) as CryptoKey);
}

function parts(token: string): [string, string, string] {
  const [header = "", payload = "", signature = ""] = token.split(".");
  return [header, payload, signature];
}

const claims: readonly Forgery[] = [
  claiming("expired an hour ago", () => ({ exp: now() - HOUR_S })),
  claiming("expired longer ago than clocks differ", () => ({ exp: now() - 31 })),
  claiming("without an expiry", () => ({ exp: undefined })),
  claiming("with an expiry that is no number", () => ({ exp: String(now() + HOUR_S) })),
  claiming("not to be used before an hour has passed", () => ({ nbf: now() + HOUR_S })),
  claiming("of another issuer", () => ({ iss: "https://elsewhere.example" })),
  claiming("of an issuer whose name begins as that of ours", ({ issuer }) => ({ iss: `${issuer}.example` })),
  claiming("of several issuers", ({ issuer }) => ({ iss: [issuer, "https://elsewhere.example"] })),
  claiming("without an issuer", () => ({ iss: undefined })),
  claiming("for another audience", () => ({ aud: "another-service" })),
  claiming("for an audience in other letters", () => ({ aud: "PATIENT-INDEX" })),
  claiming("for several audiences but this one", () => ({ aud: ["patient-index-test", "another-service"] })),
  claiming("without an audience", () => ({ aud: undefined })),
];

const signatures: readonly Forgery[] = [
  made("by a key of the forger's under the issuer's key id", ({ issuer, own, elliptic }) =>
    signed({ ...own, kid: elliptic.kid }, goodClaims(issuer)),
  ),
  made("by a key that nobody knows", ({ issuer, own }) => signed(own, goodClaims(issuer))),
  made("by the forger's key, which its own header holds", ({ issuer, own }) =>
    signed(own, goodClaims(issuer), { jwk: own.jwk }),
  ),
  made("by the forger's key, and where to get that", ({ issuer, own }) =>
    signed(own, goodClaims(issuer), { jku: "http://127.0.0.1:1/keys", x5u: "http://127.0.0.1:1/chain" }),
  ),
  made("by the issuer's other key under this key's id", ({ issuer, rsa, elliptic }) =>
    signed({ ...rsa, kid: elliptic.kid }, goodClaims(issuer)),
  ),
  made("by an algorithm that the key is not for", async ({ issuer, rsa }) => {
    const content = `${base64({ alg: "PS256", kid: rsa.kid })}.${base64(goodClaims(issuer))}`;
    const key = await exportPKCS8(rsa.privateKey);
    const options = { key, padding: 6, saltLength: 32 };
    return `${content}.${sign("sha256", Buffer.from(content), options).toString("base64url")}`;
  }),
  made("by an algorithm that is not allowed", async ({ issuer, rsa }) => {
    const content = `${base64({ alg: "RS512", kid: rsa.kid })}.${base64(goodClaims(issuer))}`;
    const signature = sign("sha512", Buffer.from(content), await exportPKCS8(rsa.privateKey));
    return `${content}.${signature.toString("base64url")}`;
  }),
  made("of nothing but zeros", ({ good }) => {
    const [header, payload] = parts(good);
    return `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`;
  }),
  made("left out", ({ good }) => `${parts(good).slice(0, 2).join(".")}.`),
  made("of another token", async ({ good, issuer, elliptic }) => {
    const [, , signature] = parts(await signed(elliptic, goodClaims(issuer, { role: "receptionist" })));
    const [header, payload] = parts(good);
    return `${header}.${payload}.${signature}`;
  }),
  made("over another role", ({ good, issuer }) => {
    const [header, , signature] = parts(good);
    return `${header}.${base64(goodClaims(issuer, { role: "administrator" }))}.${signature}`;
  }),
  made("with its last bits changed", ({ good }) => {
    const [header, payload, signature] = parts(good);
    const bytes = Buffer.from(signature, "base64url");
    bytes[63] = (bytes[63] ?? 0) ^ 1;
    return `${header}.${payload}.${bytes.toString("base64url")}`;
  }),
  made("by the public key's text as a shared secret", async (forging) =>
    byPublicKey(forging, await publicPem(forging.rsa)),
  ),
  made("by the public key's JSON as a shared secret", (forging) =>
    byPublicKey(forging, JSON.stringify(forging.rsa.jwk), "HS512"),
  ),
  made("by the public key's bytes as a shared secret", (forging) => {
    const key = createPublicKey({ key: forging.rsa.jwk as never, format: "jwk" });
    return byPublicKey(forging, key.export({ type: "spki", format: "der" }));
  }),
  made("by an empty shared secret", (forging) => byPublicKey(forging, "")),
];

const headers: readonly Forgery[] = [
  ...["none", "None", "NONE", "nOnE", ""].map((alg) =>
    made(`of the algorithm "${alg}"`, ({ issuer }) => unsigned(issuer, alg)),
  ),
  made("of the algorithm none, with a good signature after it", ({ good, issuer }) =>
    unsigned(issuer, "none").concat(parts(good)[2]),
  ),
  made("without an algorithm", ({ good }) => {
    const [, payload, signature] = parts(good);
    return `${base64({ typ: "JWT" })}.${payload}.${signature}`;
  }),
  ...["../../../../dev/null", "' OR '1'='1", "__proto__", "x\u0000"].map((kid) =>
    made(`of the key id ${JSON.stringify(kid)}`, ({ issuer, own }) =>
      signed({ ...own, kid }, goodClaims(issuer)),
    ),
  ),
  made("without a key id, by the forger", ({ issuer, own }) =>
    new CompactSign(Buffer.from(JSON.stringify(goodClaims(issuer))))
      .setProtectedHeader({ alg: own.alg })
      .sign(own.privateKey),
  ),
  made("of a key id that is no text", ({ good }) => {
    const [, payload, signature] = parts(good);
    return `${base64({ alg: "ES256", kid: { $ne: "" } })}.${payload}.${signature}`;
  }),
  made("with something critical that nobody understands", ({ issuer, elliptic }) => {
    const payload = Buffer.from(JSON.stringify(goodClaims(issuer)));
    return new CompactSign(payload)
      .setProtectedHeader({ alg: elliptic.alg, kid: elliptic.kid, crit: ["x-admin"], "x-admin": true })
      .sign(elliptic.privateKey, { crit: { "x-admin": true } });
  }),
  made("whose payload is not encoded", async ({ issuer, elliptic }) => {
    const payload = JSON.stringify(goodClaims(issuer));
    const { protected: header, signature } = await new FlattenedSign(Buffer.from(payload))
      .setProtectedHeader({ alg: elliptic.alg, kid: elliptic.kid, crit: ["b64"], b64: false })
      .sign(elliptic.privateKey);
    return `${header}.${payload}.${signature}`;
  }),
];

const shapes: readonly Forgery[] = [
  ...["x", "a.b", "a.b.c", "a.b.c.d", "...", "null", "{}"].map((token) =>
    made(`that is ${JSON.stringify(token)}`, () => token),
  ),
  made("twice", ({ good }) => `${good},Bearer ${good}`),
  made("with something behind it", ({ good }) => `${good}.${good}`),
  made("with the spelling of another base 64", ({ good }) => `${good}==`),
  made("in the form of JSON", ({ good }) => {
    const [header, payload, signature] = parts(good);
    return JSON.stringify({ protected: header, payload, signature });
  }),
  made("that is encrypted, for whomever", ({ good, own }) =>
    new CompactEncrypt(Buffer.from(good))
      .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM" })
      .encrypt({ ...own.jwk, use: "enc", alg: "ECDH-ES" }),
  ),
  made("whose payload is a list", ({ issuer, elliptic }) =>
    new CompactSign(Buffer.from(JSON.stringify([goodClaims(issuer)])))
      .setProtectedHeader({ alg: elliptic.alg, kid: elliptic.kid })
      .sign(elliptic.privateKey),
  ),
  made("whose payload is no JSON", ({ elliptic }) =>
    new CompactSign(Buffer.from("personalCode=38010130257"))
      .setProtectedHeader({ alg: elliptic.alg, kid: elliptic.kid })
      .sign(elliptic.privateKey),
  ),
  made("of seven thousand letters", () => "A".repeat(7_000)),
];

const circumstances: readonly Forgery[] = [
  { what: "good, but of another user", authorization: ({ good }) => bearer(good), user: "EE46602140023" },
  {
    what: "good, but of a user of another country",
    authorization: ({ good }) => bearer(good),
    user: `FI${doctor.personalCode}`,
  },
  {
    what: "good, of one of two users",
    authorization: ({ good }) => bearer(good),
    user: `EE${doctor.personalCode}, EE46602140023`,
  },
  { what: "good, but as a password", authorization: ({ good }) => `Basic ${good}`, isMissing: true },
  { what: "good, but of no scheme", authorization: ({ good }) => good, isMissing: true },
  { what: "empty", authorization: () => "Bearer ", isMissing: true },
];

export const forgeries: readonly Forgery[] = [
  ...claims,
  ...signatures,
  ...headers,
  ...shapes,
  ...circumstances,
];
