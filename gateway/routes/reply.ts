import type { FastifyReply, FastifyRequest } from "fastify";
import { traceOf } from "../../src/tracing/index.ts";
import type { Answer } from "../exchange/answer.ts";
import type { AnswerForm } from "../exchange/answer-form.ts";
import type { GatewayContext } from "../exchange/gateway-context.ts";
import { bodyMediaTypes } from "../exchange/media-types.ts";
import { isConditionalWrite } from "../exchange/preconditions.ts";
import { failureAnswer } from "../outcome/failure.ts";
import { readerOf } from "../outcome/failure-reader.ts";
import { asHttpFault } from "../outcome/http-faults.ts";
import { gzipped, wantsGzip } from "./compression.ts";
import { onlyByTls, securityHeaders } from "./security-headers.ts";

/** What the form of an answer depends on. */
const VARY = "accept, accept-encoding, accept-language";

/** Which patches a resource takes (RFC 5789, 2.2). */
const ACCEPT_PATCH = { "accept-patch": bodyMediaTypes.patch.join(", ") };

/** Sends an answer, compressed if it is long and the client takes that. */
export function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: Answer): void {
  const roadId = request.raw.headers["x-road-id"];
  const vary = reply.getHeader("vary");
  reply.code(status).headers({
    ...securityHeaders,
    ...(request.protocol === "https" && onlyByTls),
    ...headers,
    vary: vary === undefined ? VARY : `${vary}, ${VARY}`,
    "x-request-id": request.id,
    ...(roadId === request.id && { "x-road-id": roadId }),
  });
  if (body === undefined || !wantsGzip(body, request.raw.headers["accept-encoding"])) reply.send(body);
  else
    gzipped(body).then(
      (bytes) => reply.header("content-encoding", "gzip").send(bytes),
      (error) => reply.send(error),
    );
}

/** Sends the OperationOutcome of whatever went wrong; what is our own fault is logged with its causes. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  gateway: GatewayContext,
  headers: Readonly<Record<string, string>> = {},
  form?: AnswerForm,
): void {
  const { raw } = request;
  if (error === raw.errored) {
    // Nobody is there to be answered.
    gateway.log.debug({ requestId: request.id, route: request.routeOptions.url }, "the client hung up");
    reply.hijack();
    return;
  }
  const reader = readerOf(raw, gateway);
  const answer = failureAnswer(asHttpFault(error, gateway.bodyLimit, raw.headers["content-type"]), {
    ...reader,
    isConditional: isConditionalWrite(raw.headers),
    form: form ?? reader.form,
  });
  request.span?.set({ "mpi.reason": answer.reason });
  const { url: route } = request.routeOptions;
  const work = { requestId: request.id, ...traceOf(request.span), route };
  gateway.failures.note(work, answer.status, error);
  const patchForms = answer.status === 415 && raw.method === "PATCH" && ACCEPT_PATCH;
  send(request, reply, { ...answer, headers: { ...answer.headers, ...headers, ...patchForms } });
}
