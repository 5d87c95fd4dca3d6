import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { answerText } from "../../call/answer-text.ts";

/** Where the keys of an issuer are, and how often they are asked for. */
export interface IssuerKeysOptions {
  readonly url: string;
  /** Longest wait for the issuer. */
  readonly timeoutMs: number;
  /** How long keys are used before they are asked for again, beside the calls that use them. */
  readonly keepMs: number;
  /** An unknown key makes the issuer be asked again, but not sooner than this after the last time. */
  readonly cooldownMs: number;
  /** Milliseconds since some moment, by a clock that nobody sets: new keys must not wait until one set back has come as far again. */
  readonly elapsed: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** The issuer did not say which keys it has, and those that are known do not help. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** After an issuer that did not answer. */
const RETRY_MS = 1_000;
/** Of all keys of an issuer, which has a few. */
const MOST_BYTES = 1024 * 1024;

/**
 * The keys by which an issuer signs. They are asked for once for all who wait; those that are known go on working
 * while the issuer is away.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #known: JWTVerifyGetKey | undefined;
  #text = "";
  #generation = 0;
  #asking: Promise<void> | undefined;
  #restUntil = Number.NEGATIVE_INFINITY;
  #oldFrom = Number.NEGATIVE_INFINITY;
  #failure: unknown;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** Another number whenever the issuer has changed its keys. */
  get generation(): number {
    return this.#generation;
  }

  /** The key of a token, as jose asks for it. Throws a JOSEError when the issuer has none, or KeysUnavailable. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (!this.#known) await this.#ask();
    try {
      return await this.#lookUp(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#ask();
      return await this.#lookUp(header, token);
    }
  };

  /** Has keys that were known for long asked for again, in the background. */
  refresh(): void {
    const { elapsed, onFailure } = this.#options;
    if (elapsed() < this.#oldFrom || elapsed() < this.#restUntil || this.#asking) return;
    this.#ask().catch(onFailure);
  }

  #lookUp: JWTVerifyGetKey = (header, token) => {
    if (!this.#known) throw new KeysUnavailable("No keys are known.");
    return this.#known(header, token);
  };

  /** Asks the issuer, unless it was asked a moment ago: then what it said holds, or that it was silent. */
  async #ask(): Promise<void> {
    if (!this.#asking) {
      if (this.#options.elapsed() >= this.#restUntil) {
        this.#asking = this.#fetch().finally(() => {
          this.#asking = undefined;
        });
      } else if (this.#failure === undefined) return;
      else throw new KeysUnavailable("The issuer was silent a moment ago.", { cause: this.#failure });
    }
    await this.#asking;
  }

  async #fetch(): Promise<void> {
    const { url, timeoutMs, keepMs, cooldownMs, elapsed } = this.#options;
    try {
      const text = await fetchText(url, timeoutMs);
      if (text !== this.#text) {
        this.#known = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
        this.#text = text;
        this.#generation++;
      }
      this.#failure = undefined;
      this.#restUntil = elapsed() + cooldownMs;
      this.#oldFrom = elapsed() + keepMs;
    } catch (cause) {
      this.#failure = cause;
      this.#restUntil = elapsed() + RETRY_MS;
      throw new KeysUnavailable("The issuer did not say which keys it has.", { cause });
    }
  }
}

async function fetchText(url: string, timeoutMs: number): Promise<string> {
  const headers = { accept: "application/jwk-set+json, application/json" };
  const response = await fetch(url, {
    headers,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The issuer answered with status ${response.status}.`);
  }
  return await answerText(response, MOST_BYTES);
}
