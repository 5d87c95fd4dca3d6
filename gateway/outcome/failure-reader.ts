import type { IncomingMessage } from "node:http";
import { acceptedLanguage } from "../../src/errors/index.ts";
import { type AnswerForm, answerForm } from "../exchange/answer-form.ts";
import { contractOf, contracts } from "../exchange/contracts.ts";
import type { GatewayContext } from "../exchange/gateway-context.ts";
import { queryOf, wellFormedParameters } from "../exchange/query.ts";
import type { FailureReader } from "./failure.ts";

/** Who is told of a failure: in the version of the address, in the language and the form that the request asks for. */
export function readerOf(
  { url = "", headers }: IncomingMessage,
  gateway: GatewayContext,
): FailureReader & { readonly form: AnswerForm } {
  return {
    version: contractOf(url).version,
    language: acceptedLanguage(headers["accept-language"] ?? null, gateway.defaultLanguage),
    systems: gateway.errorSystems,
    isConditional: false,
    form: answerForm(wellFormedParameters(queryOf(url)), headers.accept),
  };
}

/** Who is told where no headers have come that could say it. */
export function unknownReader({ defaultLanguage, errorSystems }: GatewayContext): FailureReader {
  const [{ version }] = contracts;
  return { version, language: defaultLanguage, systems: errorSystems, isConditional: false };
}
