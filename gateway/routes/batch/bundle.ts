import type { Interaction } from "../../exchange/interaction.ts";
import { jsonBody } from "../../exchange/resource-body.ts";
import { answerBatch } from "./batch.ts";
import { requestBundle } from "./entries.ts";
import { routesOf } from "./entry-request.ts";
import { answerTransaction } from "./transaction.ts";

/** Several of these interactions in one request: a Bundle of type batch or transaction, to the base path. */
export function bundleOf(interactions: readonly Interaction[]): Interaction {
  const routes = routesOf(interactions);
  return {
    code: "batch",
    otherCodes: ["transaction"],
    method: "POST",
    path: "",
    body: "resource",
    parameters: [],
    handle(request) {
      const { type, entries } = requestBundle(jsonBody(request));
      const answer = type === "batch" ? answerBatch : answerTransaction;
      return answer(request, entries, routes);
    },
  };
}
