import { NoAnswer, Refusal, type Silence } from "./failures.ts";
import type { XRoadClient } from "./x-road-client.ts";

/** What came of a question: `answered`, `refused` by the register or on the way to it, or how it kept silent. */
export type Outcome = "answered" | "refused" | Silence;

/** Is told of a question to a service of the register, with its repetitions: what came of it, after so many seconds. */
export type TellAsked = (service: string, outcome: Outcome, seconds: number) => void;

/** The client, with every question told of. */
export function watchedClient({ ask }: XRoadClient, tellAsked: TellAsked): XRoadClient {
  return {
    async ask(question) {
      const startedAt = performance.now();
      const tell = (outcome: Outcome) =>
        tellAsked(question.service, outcome, (performance.now() - startedAt) / 1000);
      try {
        const answer = await ask(question);
        tell("answered");
        return answer;
      } catch (error) {
        if (error instanceof NoAnswer) tell(error.silence);
        else if (error instanceof Refusal) tell("refused");
        throw error;
      }
    },
  };
}
