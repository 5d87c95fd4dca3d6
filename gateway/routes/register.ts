import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../exchange/answer.ts";
import { type Contract, contracts } from "../exchange/contracts.ts";
import { FhirRequest } from "../exchange/fhir-request.ts";
import type { GatewayContext } from "../exchange/gateway-context.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { answerTo } from "./admission.ts";
import { documentationOf } from "./documentation.ts";
import { healthPaths } from "./health.ts";
import { send, sendFailure } from "./reply.ts";
import { type ExplainUnmatched, isOfUnmatchedMethod, isReservedName, unmatchedBy } from "./unmatched.ts";

/** Registers the interactions below every base path, health, and the answer to everything else. */
export function registerRoutes(
  server: FastifyInstance,
  interactions: readonly Interaction[],
  gateway: GatewayContext,
): void {
  const unmatched = unmatchedBy(interactions);
  server.setNotFoundHandler((request, reply) => sendUnmatched(request, reply, unmatched, gateway));
  server.setErrorHandler((error, request, reply) => {
    if (isOfUnmatchedMethod(error)) sendUnmatched(request, reply, unmatched, gateway);
    else sendFailure(request, reply, error, gateway);
  });
  for (const [path, answer] of Object.entries({ ...healthPaths, ...documentationOf(interactions) })) {
    server.get(path, (request, reply) => {
      void answerBy(() => answer(gateway.core), request, reply, gateway);
    });
  }
  server.register((fhir, _options, done) => {
    // Types and sizes of bodies are the interactions' business: here they are just read.
    fhir.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    for (const contract of contracts) {
      for (const interaction of interactions) route(fhir, contract, interaction, unmatched, gateway);
    }
    done();
  });
}

function route(
  fhir: FastifyInstance,
  contract: Contract,
  interaction: Interaction,
  unmatched: ExplainUnmatched,
  gateway: GatewayContext,
): void {
  fhir.route({
    method: interaction.method,
    url: `${contract.basePath}${interaction.path}`,
    handler: (request, reply) => {
      const params = request.params as Readonly<Record<string, string>>;
      if (isReservedName(params["id"])) {
        sendUnmatched(request, reply, unmatched, gateway);
        return;
      }
      const body = request.body as Buffer | undefined;
      const { url = "", headers, socket } = request.raw;
      const { id, protocol } = request;
      const incoming = { id, protocol, url, headers, params, body, contract, socket, response: reply.raw };
      const fhirRequest = new FhirRequest(incoming, gateway);
      const answering = () => answerTo(fhirRequest, interaction);
      void answerBy(answering, request, reply, gateway, fhirRequest);
    },
  });
}

/** Sends what comes out, be it an answer or a failure. */
async function answerBy(
  answering: () => Answer | Promise<Answer>,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: GatewayContext,
  fhirRequest?: FhirRequest,
): Promise<void> {
  try {
    send(request, reply, await answering());
  } catch (error) {
    sendFailure(request, reply, error, gateway, {}, fhirRequest?.answerForm);
  }
}

function sendUnmatched(
  request: FastifyRequest,
  reply: FastifyReply,
  explain: ExplainUnmatched,
  gateway: GatewayContext,
): void {
  const [path = ""] = (request.raw.url ?? "").split("?", 1);
  const { error, allowed } = explain(request.method, path);
  const headers: Record<string, string> = allowed.length > 0 ? { allow: allowed.join(", ") } : {};
  sendFailure(request, reply, error, gateway, headers);
}
