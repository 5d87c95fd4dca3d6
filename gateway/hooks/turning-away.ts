import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { MpiError } from "../../src/errors/index.ts";
import type { Answer } from "../exchange/answer.ts";
import type { GatewayContext } from "../exchange/gateway-context.ts";
import { failureAnswer } from "../outcome/failure.ts";
import { readerOf } from "../outcome/failure-reader.ts";
import { send } from "../routes/reply.ts";

const SOON = "1";

/** A body of at most so many bytes is cheaper to let come and to drop than a new connection. */
const DROPPED_BODY = 64 * 1024;

/**
 * Answers 429, as cheaply as can be: there may be many times more to refuse than to serve. The words are put together
 * once for each version, language and form. Connections are kept: those that are closed come back, and a process takes
 * but one new connection in each turn of its event loop, so that refusals would be slow to come.
 */
export function turningAway(gateway: GatewayContext): (request: FastifyRequest, reply: FastifyReply) => void {
  const answers = new Map<string, Answer>();
  return (request, reply) => {
    const reader = readerOf(request.raw, gateway);
    const { version, language, form } = reader;
    const kind = `${version} ${language} ${form.format} ${form.pretty}`;
    let answer = answers.get(kind);
    if (!answer) {
      answer = failureAnswer(new MpiError("TOO_MANY_REQUESTS", { seconds: SOON }), reader);
      answers.set(kind, answer);
    }
    send(request, reply, hasLargeBody(request.raw) ? closing(answer) : answer);
  };
}

/** What of the body is on its way is not waited for. */
function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: "close" } };
}

function hasLargeBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > DROPPED_BODY;
}
