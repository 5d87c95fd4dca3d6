import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../exchange/answer.ts";
import { type Contract, contracts } from "../exchange/contracts.ts";
import { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "../exchange/interaction.ts";
import type { GatewaySetting } from "../exchange/setting.ts";
import { answerTo } from "./admission.ts";
import { documentationOf } from "./documentation.ts";
import { healthPaths } from "./health.ts";
import { send, sendFailure } from "./reply.ts";
import { type ExplainUnmatched, isOfUnmatchedMethod, isReservedName, unmatchedBy } from "./unmatched.ts";

/** Registers the interactions below every base path, health, and the answer to everything else. */
export function registerRoutes(
  server: FastifyInstance,
  interactions: readonly Interaction[],
  setting: GatewaySetting,
): void {
  const unmatched = unmatchedBy(interactions);
  server.setNotFoundHandler((request, reply) => sendUnmatched(request, reply, unmatched, setting));
  server.setErrorHandler((error, request, reply) => {
    if (isOfUnmatchedMethod(error)) sendUnmatched(request, reply, unmatched, setting);
    else sendFailure(request, reply, error, setting);
  });
  for (const [path, answer] of Object.entries({ ...healthPaths, ...documentationOf(interactions) })) {
    server.get(path, (request, reply) => {
      void answerBy(() => answer(setting.core), request, reply, setting);
    });
  }
  server.register((fhir, _options, done) => {
    // Types and sizes of bodies are the interactions' business: here they are just read.
    fhir.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    for (const contract of contracts) {
      for (const interaction of interactions) route(fhir, contract, interaction, unmatched, setting);
    }
    done();
  });
}

function route(
  fhir: FastifyInstance,
  contract: Contract,
  interaction: Interaction,
  unmatched: ExplainUnmatched,
  setting: GatewaySetting,
): void {
  fhir.route({
    method: interaction.method,
    url: `${contract.basePath}${interaction.path}`,
    handler: (request, reply) => {
      const params = request.params as Readonly<Record<string, string>>;
      if (isReservedName(params["id"])) {
        sendUnmatched(request, reply, unmatched, setting);
        return;
      }
      const body = request.body as Buffer | undefined;
      const { url = "", headers, socket } = request.raw;
      const { id, protocol } = request;
      const incoming = { id, protocol, url, headers, params, body, contract, socket, response: reply.raw };
      const fhirRequest = new FhirRequest(incoming, setting);
      const answering = () => answerTo(fhirRequest, interaction);
      void answerBy(answering, request, reply, setting, fhirRequest);
    },
  });
}

/** Sends what comes out, be it an answer or a failure. */
async function answerBy(
  answering: () => Answer | Promise<Answer>,
  request: FastifyRequest,
  reply: FastifyReply,
  setting: GatewaySetting,
  fhirRequest?: FhirRequest,
): Promise<void> {
  try {
    send(request, reply, await answering());
  } catch (error) {
    sendFailure(request, reply, error, setting, {}, fhirRequest?.answerForm);
  }
}

function sendUnmatched(
  request: FastifyRequest,
  reply: FastifyReply,
  explain: ExplainUnmatched,
  setting: GatewaySetting,
): void {
  const [path = ""] = (request.raw.url ?? "").split("?", 1);
  const { error, allowed } = explain(request.method, path);
  const headers: Record<string, string> = allowed.length > 0 ? { allow: allowed.join(", ") } : {};
  sendFailure(request, reply, error, setting, headers);
}
