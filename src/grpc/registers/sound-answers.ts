import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { plainTexts, unsoundField } from "../../registers/index.ts";

/**
 * A transport to adapters, whoever wrote them: an answer whose values break the contract counts as a failure of the adapter,
 * and texts come without blanks round them.
 */
export function soundAnswers(transport: Transport): Transport {
  return {
    ...transport,
    async unary(method, ...call) {
      const response = await transport.unary(method, ...call);
      const wrong = unsoundField(method.output, response.message);
      // Without the value: it is of a person, and the message may be logged.
      if (wrong) throw unsound(`A ${wrong} is not what it must be.`);
      plainTexts(method.output, response.message);
      return response;
    },
  };
}

/** What an adapter is taken to have failed with when its answer cannot be true. */
export function unsound(message: string): ConnectError {
  return new ConnectError(message, Code.Unknown);
}
