import { fewAtOnce } from "../../../src/concurrency/few-at-once.ts";
import { responseBundle } from "../../bundle/response.ts";
import { type Answer, jsonAnswer } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import type { Interaction, Outcome, Together } from "../../exchange/interaction.ts";
import { isConditionalWrite } from "../../exchange/preconditions.ts";
import { failureAnswer } from "../../outcome/failure.ts";
import { admit } from "../admission.ts";
import { AnswerRoom, ROOM_OF_BATCH } from "./answer-room.ts";
import type { BundleEntry } from "./entries.ts";
import { entryRequest, type Routes, sharedHeaders } from "./entry-request.ts";
import { responseEntry } from "./entry-response.ts";

/** Requests of a batch that are under way at a time, beside those that are answered together. */
const AT_A_TIME = 4;

/** An entry as the request that it is. */
interface Asked {
  readonly place: number;
  readonly interaction: Interaction;
  readonly request: FhirRequest;
}

/** What the entries came to, by their places. */
type Outcomes = Outcome[];

/**
 * Answers a batch: each entry is a request of its own, whatever becomes of the others, and the answers come in the
 * order of the entries (FHIR http.html, 3.2.0.11). Those that can be answered together go to the core as one call.
 */
export async function answerBatch(
  request: FhirRequest,
  entries: readonly BundleEntry[],
  routes: Routes,
): Promise<Answer> {
  const outcomes: Outcomes = [];
  const room = new AnswerRoom(ROOM_OF_BATCH);
  const { alone, together } = divided(askedBy(request, entries, routes, outcomes));
  await Promise.all([
    ...together.map(([way, asked]) => answerTogether(way, asked, outcomes)),
    fewAtOnce(alone, AT_A_TIME, (asked) => answerAlone(asked, outcomes, room)),
  ]);
  const answered = entries.map((one) => answeredBy(request, one, outcomes[one.place]));
  logFailures(request, answered);
  const responses = answered.map(({ answer, method }) => responseEntry(answer, method));
  return jsonAnswer(request, 200, responseBundle("batch", responses));
}

/** The entries that can be answered; of the others it is known already why not. */
function askedBy(
  request: FhirRequest,
  entries: readonly BundleEntry[],
  routes: Routes,
  outcomes: Outcomes,
): Asked[] {
  const headers = sharedHeaders(request);
  return entries.flatMap((entry) => {
    try {
      const { interaction, part } = entryRequest(headers, entry, routes);
      const asked = { place: entry.place, interaction, request: request.part(part) };
      admit(asked.request, interaction);
      return [asked];
    } catch (reason) {
      outcomes[entry.place] = { status: "rejected", reason };
      return [];
    }
  });
}

/** Those that are answered each by itself, and those that are answered together. */
function divided(asked: readonly Asked[]) {
  const byWay = Map.groupBy(asked, ({ interaction: { together }, request }) =>
    together?.fits(request) ? together : undefined,
  );
  const together: [Together, Asked[]][] = [];
  const alone: Asked[] = [];
  for (const [way, some] of byWay) {
    if (way && some.length > 1) together.push([way, some]);
    else alone.push(...some);
  }
  return { alone, together };
}

async function answerTogether(way: Together, asked: readonly Asked[], outcomes: Outcomes): Promise<void> {
  const answered = await way.handle(asked.map(({ request }) => request));
  for (const [index, outcome] of answered.entries()) outcomes[asked[index]?.place ?? 0] = outcome;
}

async function answerAlone(asked: Asked, outcomes: Outcomes, room: AnswerRoom): Promise<void> {
  [outcomes[asked.place]] = await Promise.allSettled([answerOne(asked, room)]);
}

async function answerOne({ interaction, request }: Asked, room: AnswerRoom): Promise<Answer> {
  room.refuseWhenFull(interaction);
  return room.take(await interaction.handle(request));
}

/** What an entry is answered, and why, where it failed. */
interface Answered {
  readonly method: string;
  readonly answer: Answer;
  readonly failure?: unknown;
}

function answeredBy(
  { presentation }: FhirRequest,
  { method, conditions }: BundleEntry,
  outcome: Outcome | undefined,
): Answered {
  if (outcome?.status === "fulfilled") return { method, answer: outcome.value };
  const reader = { ...presentation, isConditional: isConditionalWrite(conditions) };
  const failure = outcome?.reason;
  return { method, answer: failureAnswer(failure, reader), failure };
}

/** A line for each status: what fails many entries is mostly the same. */
function logFailures({ id, contract, gateway }: FhirRequest, answered: readonly Answered[]): void {
  const failed = answered.filter((one) => "failure" in one);
  for (const [status, some] of Map.groupBy(failed, ({ answer }) => answer.status)) {
    const work = { requestId: id, route: contract.basePath, entries: some.length };
    gateway.failures.note(work, status, some[0]?.failure);
  }
}
