import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type IssuerTrust, type TokenVerifier, tokenVerifier } from "../../src/access/index.ts";
import {
  AUDIENCE,
  goodClaims,
  type SigningKey,
  signed,
  signingKey,
  startIssuer,
  type TestIssuer,
} from "./test-issuer.ts";

const MINUTE_MS = 60_000;

let key: SigningKey;
let next: SigningKey;
let issuer: TestIssuer;
let clock: number;
/** By how much the clock has been set back. */
let setBack: number;
let failures: unknown[];

beforeEach(async () => {
  [key, next] = await Promise.all([signingKey(), signingKey("EdDSA")]);
  issuer = await startIssuer(key);
  clock = Date.now();
  setBack = 0;
  failures = [];
});

afterEach(() => issuer.stop());

function verifierWith(changes: Partial<IssuerTrust> = {}): TokenVerifier {
  return tokenVerifier({
    url: issuer.jwksUrl,
    issuer: issuer.issuer,
    audience: AUDIENCE,
    algorithms: ["ES256", "EdDSA"],
    clockSkewMs: 30_000,
    remembered: 100,
    timeoutMs: 60_000,
    keepMs: 5 * MINUTE_MS,
    cooldownMs: 10_000,
    now: () => clock - setBack,
    elapsed: () => clock,
    onFailure: (error) => failures.push(error),
    ...changes,
  });
}

/** The meaning by which a token is refused; undefined when it is good. */
function refusalOf(verifier: TokenVerifier, token: string): Promise<string | undefined> {
  return Promise.try(() => verifier.verify(token)).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

describe("claims", () => {
  test("are those of the token; of another type they are not said", async () => {
    const token = await signed(
      key,
      goodClaims(issuer, { role: 7, scope: "name birthdate-search", patient: "1" }),
    );
    expect(await verifierWith().verify(token)).toEqual({
      personalCode: "38010130257",
      name: "Sander Oliver Luik",
      organization: "90001478",
      role: undefined,
      application: "hospital",
      scopes: ["name", "birthdate-search"],
      represented: "1",
    });
  });
});

describe("time", () => {
  test("a token is good until it expires by clocks that differ, remembered or not", async () => {
    const token = await signed(key, goodClaims(issuer));
    const begun = clock;
    for (const remembered of [0, 100]) {
      const verifier = verifierWith({ remembered });
      expect(await refusalOf(verifier, token)).toBeUndefined();
      clock += 10 * MINUTE_MS + 29_000;
      expect(await refusalOf(verifier, token)).toBeUndefined();
      clock += 2_000;
      expect(await refusalOf(verifier, token)).toBe("TOKEN_REFUSED");
      clock = begun;
    }
  });

  test("a token of the near future is one of a clock that is fast", async () => {
    const nbf = Math.floor(clock / 1000) + 20;
    expect(await refusalOf(verifierWith(), await signed(key, goodClaims(issuer, { nbf })))).toBeUndefined();
  });
});

describe("keys", () => {
  test("are asked for once by all who come at the same time, and kept", async () => {
    const verifier = verifierWith({ remembered: 0 });
    const token = await signed(key, goodClaims(issuer));
    const all = await Promise.all(Array.from({ length: 20 }, () => refusalOf(verifier, token)));
    expect(new Set(all)).toEqual(new Set([undefined]));
    expect(issuer.asked).toBe(1);
  });

  test("that are new are asked for when a token has one, but not again and again", async () => {
    const verifier = verifierWith();
    await verifier.verify(await signed(key, goodClaims(issuer)));
    issuer.keys = [key.jwk, next.jwk];
    const token = await signed(next, goodClaims(issuer));
    expect(await refusalOf(verifier, token)).toBe("TOKEN_REFUSED");
    expect(issuer.asked).toBe(1);
    clock += 10_001;
    expect(await refusalOf(verifier, token)).toBeUndefined();
    expect(issuer.asked).toBe(2);
  });

  test("that are new are asked for also after the clock of the process has been set back", async () => {
    const verifier = verifierWith();
    await verifier.verify(await signed(key, goodClaims(issuer)));
    issuer.keys = [key.jwk, next.jwk];
    setBack = 60 * MINUTE_MS;
    clock += 10_001;
    expect(await refusalOf(verifier, await signed(next, goodClaims(issuer)))).toBeUndefined();
  });

  test("that are withdrawn make remembered tokens bad, once they are asked for again beside a call", async () => {
    const verifier = verifierWith();
    const token = await signed(key, goodClaims(issuer));
    await verifier.verify(token);
    await verifier.verify(token);
    issuer.keys = [next.jwk];
    expect(await refusalOf(verifier, token)).toBeUndefined();
    clock += 5 * MINUTE_MS;
    expect(await refusalOf(verifier, token)).toBeUndefined();
    await expect.poll(() => refusalOf(verifier, token)).toBe("TOKEN_REFUSED");
  });

  test.each(["hangs", "fails", "babbles", "floods"] as const)(
    "that are known go on working while the issuer %s; of others nobody can say",
    async (mood) => {
      // Time enough for an issuer that answers, on a slow machine too.
      const verifier = verifierWith({ remembered: 0, timeoutMs: 1_000 });
      const [known, unknown] = [
        await signed(key, goodClaims(issuer)),
        await signed(next, goodClaims(issuer)),
      ];
      await verifier.verify(known);
      issuer.mood = mood;
      clock += 5 * MINUTE_MS;
      expect(await refusalOf(verifier, known)).toBeUndefined();
      expect(await refusalOf(verifier, unknown)).toBe("SERVICE_UNAVAILABLE");
      expect(await refusalOf(verifier, unknown)).toBe("SERVICE_UNAVAILABLE");
      expect(failures.length).toBeGreaterThan(0);
      expect(issuer.asked).toBe(2);
      issuer.mood = "answers";
      clock += 1_001;
      expect(await refusalOf(verifier, unknown)).toBe("TOKEN_REFUSED");
    },
  );

  test("of an issuer that was away from the start are found when it comes", async () => {
    const verifier = verifierWith();
    const token = await signed(key, goodClaims(issuer));
    issuer.mood = "fails";
    expect(await refusalOf(verifier, token)).toBe("SERVICE_UNAVAILABLE");
    issuer.mood = "answers";
    clock += 1_001;
    expect(await refusalOf(verifier, token)).toBeUndefined();
  });
});
