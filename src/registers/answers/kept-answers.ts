import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { PersonQuery } from "#proto/patientindex/registers/v1/register_query_pb.ts";
import { SharedWork } from "../../concurrency/shared-work.ts";
import type { AnswerKey, AnswerStore } from "./answer-store.ts";

export interface KeptAnswersOptions {
  readonly store: AnswerStore;
  readonly keepMs: number;
  /** How long a register may take to answer: so long other replicas wait for the one that asks. */
  readonly timeoutMs: number;
  readonly now: () => Date;
}

/** What is asked about a person. */
export interface PersonQuestion<Schema extends DescMessage> {
  /** Name of the question, such as population.ReadPerson. */
  readonly name: string;
  readonly query: PersonQuery;
  readonly answer: Schema;
  readonly ask: () => Promise<MessageShape<Schema>>;
}

const LOOK_AGAIN_MS = 50;

/**
 * Answers of registers, kept for a time per person and question. Those who ask the same at once share one call, in
 * other replicas too; errors are not kept. Nobody is given an answer that is older than what he could know: who asks anew
 * has a call of his own, and who does not looks at what is kept before he waits for a call that others began.
 */
export class KeptAnswers {
  readonly #options: KeptAnswersOptions;
  readonly #asking = new SharedWork<unknown>();

  constructor(options: KeptAnswersOptions) {
    this.#options = options;
  }

  /** The kept answer, or a new one of the register, which is kept from then on. */
  async answer<Schema extends DescMessage>(question: PersonQuestion<Schema>): Promise<MessageShape<Schema>> {
    const { name, query } = question;
    const { personalCode, noCache } = query;
    const key = { personalCode, query: name };
    if (noCache) return await this.#ask(question, key);
    const kept = await this.#kept(question, key);
    if (kept) return kept;
    const asked = this.#asking.do(`${name} ${personalCode}`, () => this.#askOnce(question, key));
    return (await asked) as MessageShape<Schema>;
  }

  async #kept<Schema extends DescMessage>(
    { answer }: PersonQuestion<Schema>,
    key: AnswerKey,
  ): Promise<MessageShape<Schema> | undefined> {
    const { store, now } = this.#options;
    const kept = await store.read(key, now());
    return kept && fromBinary(answer, kept);
  }

  async #ask<Schema extends DescMessage>(
    question: PersonQuestion<Schema>,
    key: AnswerKey,
  ): Promise<MessageShape<Schema>> {
    const { store, now, keepMs } = this.#options;
    const until = () => new Date(now().getTime() + keepMs);
    const sinceAsked = until();
    const answer = await question.ask();
    const bytes = Uint8Array.from(toBinary(question.answer, answer));
    await store.keep(key, bytes, sinceAsked, until());
    return answer;
  }

  /** Waits for the answer of a replica that asks already; asks itself when that one failed or takes too long. */
  async #askOnce<Schema extends DescMessage>(
    question: PersonQuestion<Schema>,
    key: AnswerKey,
  ): Promise<MessageShape<Schema>> {
    const { store, timeoutMs } = this.#options;
    const holder = randomUUID();
    while (!(await store.claim(key, holder, timeoutMs))) {
      await delay(LOOK_AGAIN_MS);
      const kept = await this.#kept(question, key);
      if (kept) return kept;
    }
    try {
      // Another one may have asked between look and claim.
      return (await this.#kept(question, key)) ?? (await this.#ask(question, key));
    } finally {
      await store.release(key, holder);
    }
  }
}
