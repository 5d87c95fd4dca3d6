import { create, type DescMessage, fromJson, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import type { PersonQuery } from "#proto/patientindex/registers/v1/register_query_pb.ts";
import { PersonQuerySchema } from "#proto/patientindex/registers/v1/register_query_pb.ts";
import type { KeptAnswers } from "../answers/kept-answers.ts";
import { type AdapterErrors, reporting } from "./adapter-errors.ts";
import { cutLists, withSoundValues } from "./answer-values.ts";
import { NoAnswer } from "./failures.ts";
import type { XRoadClient } from "./x-road-client.ts";

/** What an adapter of a register of people works with. */
export interface PersonAdapterParts {
  readonly client: XRoadClient;
  readonly answers: KeptAnswers;
}

/** A method of an adapter that asks one service of the register about one person. */
export interface PersonMethod<Schema extends DescMessage> {
  /** Name under which its answers are kept. */
  readonly name: string;
  /** The service of the register. */
  readonly service: string;
  readonly answer: Schema;
  /** Whether an answer can be one about that person; any can unless said. */
  readonly isAnswer?: (answer: MessageShape<Schema>, personalCode: string) => boolean;
}

/** The method itself: its answer is kept, its failures are reported with the adapter's codes. */
export function personMethod<Schema extends DescMessage>(
  { client, answers }: PersonAdapterParts,
  errors: AdapterErrors,
  { name, service, answer, isAnswer }: PersonMethod<Schema>,
): (request: { readonly query?: PersonQuery | undefined }) => Promise<MessageShape<Schema>> {
  return ({ query = create(PersonQuerySchema) }) => {
    const { personalCode } = query;
    const parse = (json: unknown) => answerOf(answer, json);
    const question = { service, body: { personalCode }, parse };
    const ask = async () => {
      const given = withSoundValues(answer, await client.ask(question));
      if (isAnswer && !isAnswer(given, personalCode)) throw new NoAnswer("garbage");
      return given;
    };
    return reporting(errors, () => answers.answer({ name, query, answer, ask }));
  };
}

/** The message that the JSON of a register is; elements that we do not know are passed over. */
export function answerOf<Schema extends DescMessage>(schema: Schema, json: unknown): MessageShape<Schema> {
  cutLists(json);
  return fromJson(schema, json as JsonValue, { ignoreUnknownFields: true });
}
