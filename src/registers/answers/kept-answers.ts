import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { PersonQuery } from "#proto/patientindex/registers/v1/register_query_pb.ts";
import { SharedWork } from "../../call/shared-work.ts";
import type { AnswerStore } from "./answer-store.ts";

export interface KeptAnswersOptions {
  readonly store: AnswerStore;
  readonly keepMs: number;
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

/**
 * Answers of registers, kept for a time per person and question. Those who ask the same at once share one call;
 * errors are not kept.
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
    const key = `${name} ${query.noCache ? "anew" : "kept"} ${query.personalCode}`;
    return (await this.#asking.do(key, () => this.#find(question))) as MessageShape<Schema>;
  }

  async #find<Schema extends DescMessage>(question: PersonQuestion<Schema>): Promise<MessageShape<Schema>> {
    const { store, now, keepMs } = this.#options;
    const { personalCode, noCache } = question.query;
    const key = { personalCode, query: question.name };
    const kept = noCache ? undefined : await store.read(key, now());
    if (kept) return fromBinary(question.answer, kept);
    const answer = await question.ask();
    const bytes = Uint8Array.from(toBinary(question.answer, answer));
    await store.keep(key, bytes, new Date(now().getTime() + keepMs));
    return answer;
  }
}
