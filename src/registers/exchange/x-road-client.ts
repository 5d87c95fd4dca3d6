import { randomUUID } from "node:crypto";
import { answerText, UnreadableAnswer } from "../../call/answer-text.ts";
import { budgetMs, currentCall, currentSignal } from "../../call/current-call.ts";
import { memberCode } from "../../call/member-code.ts";
import { untilAborted } from "../../concurrency/until-aborted.ts";
import type { Span } from "../../tracing/index.ts";
import { spanned, spanOfAttempt } from "./attempt-span.ts";
import { NoAnswer, Refusal } from "./failures.ts";
import { plainCode } from "./plain-texts.ts";
import { type ResilienceOptions, resilience } from "./resilience.ts";
import type { Fetch } from "./x-road-fetch.ts";

/** Where a register is, and how it is asked. */
export interface XRoadOptions {
  /**
   * The security server with the path of the register's services:
   * `http://host/r1/{instance}/{class}/{member}/{subsystem}`.
   */
  readonly address: string;
  /** X-Road-Client of calls that name none: `{instance}/{class}/{member}/{subsystem}`. */
  readonly client: string;
  /** Longest time of a call, in milliseconds; the caller's deadline may leave it less. */
  readonly timeoutMs: number;
  readonly resilience?: ResilienceOptions;
  /** Node's own unless given. */
  readonly fetch?: Fetch | undefined;
  /** What the register is called in traces. */
  readonly register?: string;
}

/** One question to a register, which may be put again when nobody answered. */
export interface XRoadQuestion<Answer> {
  /** Name of the register's service, the last part of the path. */
  readonly service: string;
  readonly body: unknown;
  /** Understands the JSON of the answer; what it throws at makes the answer garbage. */
  readonly parse: (json: unknown) => Answer;
  /** Whether it is put also to a register that nobody is sent to any more. */
  readonly isOwed?: boolean;
}

/** A register behind the X-Road message protocol for REST. */
export interface XRoadClient {
  /** The answer of the register; throws NoAnswer or Refusal. */
  ask<Answer>(question: XRoadQuestion<Answer>): Promise<Answer>;
}

/** Headers of the call on whose behalf the register is asked. */
const PASSED_ON = ["x-road-userid", "x-road-issue"] as const;
const MOST_BYTES = 16 * 1024 * 1024;

export function xRoadClient(options: XRoadOptions): XRoadClient {
  const run = resilience(options.resilience);
  return {
    async ask(question) {
      const wait = waitOf(options.timeoutMs);
      const { signal } = wait;
      const headers = headersOfCall(options.client);
      let attempts = 0;
      const { isOwed } = question;
      const once = () => {
        const span = spanOfAttempt(options, question.service, attempts++);
        return spanned(span, headers, () => attempt(options, question, headers, wait, span));
      };
      try {
        const running = run(once, signal, { isOwed });
        // Whoever waits for the circuit breaker to try the register again does not wait longer than for the register.
        return await untilAborted(running, signal);
      } catch (error) {
        if (error instanceof Refusal || error instanceof NoAnswer) throw error;
        throw noAnswer(wait, error);
      }
    },
  };
}

/** How long the register is waited for: no longer than its caller waits, who may act as if it had not been asked. */
interface Wait {
  readonly signal: AbortSignal;
  /** As long as it may take; shorter when the caller has less time, or has left. */
  readonly isWhole: () => boolean;
}

function waitOf(timeoutMs: number): Wait {
  const budget = budgetMs(timeoutMs);
  const caller = currentSignal();
  const timeout = AbortSignal.timeout(Math.ceil(budget));
  return {
    signal: caller ? AbortSignal.any([timeout, caller]) : timeout,
    isWhole: () => budget >= timeoutMs && !caller?.aborted,
  };
}

function headersOfCall(client: string): Headers {
  const call = currentCall();
  const given = call?.headers.get("x-road-client");
  const headers = new Headers({
    "content-type": "application/json",
    accept: "application/json",
    "x-road-client": given && memberCode(given) !== undefined ? given : client,
    "x-road-id": call?.requestId ?? randomUUID(),
  });
  for (const name of PASSED_ON) {
    const value = call?.headers.get(name);
    if (value) headers.set(name, value);
  }
  return headers;
}

async function attempt<Answer>(
  { address, fetch: send = fetch }: XRoadOptions,
  { service, body, parse }: XRoadQuestion<Answer>,
  headers: Headers,
  wait: Wait,
  span: Span | undefined,
): Promise<Answer> {
  const response = await send(`${address}/${service}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    signal: wait.signal,
    redirect: "error",
  }).catch((error: unknown) => {
    throw noAnswer(wait, error);
  });
  span?.set({ "http.response.status_code": response.status });
  const exchange = response.headers.get("x-road-error");
  if (exchange !== null) {
    // The header says enough, whatever stands in the body.
    throw exchangeError(await jsonOf(response, wait).catch(() => undefined), exchange);
  }
  const json = await jsonOf(response, wait);
  if (!response.ok) throw registerError(json);
  try {
    return parse(json);
  } catch (error) {
    throw new NoAnswer("garbage", error);
  }
}

async function jsonOf(response: Response, wait: Wait): Promise<unknown> {
  const text = await answerText(response, MOST_BYTES).catch((error: unknown) => {
    throw error instanceof UnreadableAnswer ? new NoAnswer("garbage", error) : noAnswer(wait, error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NoAnswer("garbage", error);
  }
}

function noAnswer({ signal, isWhole }: Wait, cause: unknown): NoAnswer {
  if (!signal.aborted) return new NoAnswer("unreachable", cause);
  return new NoAnswer("late", cause, { hadItsTime: isWhole() });
}

/** `{type, message, detail}` of the security server, whose type is its header too. */
function exchangeError(json: unknown, header: string): Refusal {
  const code = codeOf(json, "type") ?? (header || undefined);
  return new Refusal({ code, text: textOf(json, "message") ?? "", isFromExchange: true });
}

/** `{code, message}` of the register; an error without a word of explanation is no answer. */
function registerError(json: unknown): Refusal | NoAnswer {
  const code = codeOf(json, "code");
  const text = textOf(json, "message");
  if (code === undefined && text === undefined) return new NoAnswer("garbage");
  return new Refusal({ code, text: text ?? "", isFromExchange: false });
}

/** One of blanks alone is none. */
function codeOf(json: unknown, name: string): string | undefined {
  return plainCode(textOf(json, name) ?? "") || undefined;
}

function textOf(json: unknown, name: string): string | undefined {
  const value =
    typeof json === "object" && json !== null ? (json as Record<string, unknown>)[name] : undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
