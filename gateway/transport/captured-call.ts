import { create, type DescMessage, type DescMethodUnary, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport, type UnaryResponse } from "@connectrpc/connect";
import {
  type TransactionEntry,
  TransactionEntrySchema,
  type TransactionResult,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { MpiError } from "../../src/errors/index.ts";

/** A call of the core that waits to be done as a part of a transaction. */
export interface CapturedCall {
  readonly request: TransactionEntry["request"];
  /** Lets the call go on with what the transaction gave for it; one that is not done never goes on, and nobody waits for it. */
  readonly settle: (response: TransactionResult["response"]) => void;
}

/**
 * A way to the core by which the one call of an interaction is captured instead of being sent. Calls that `passes`
 * lets through, which only prepare it, are sent by the transport as they are. `interaction` is the name by which one
 * that a transaction cannot hold is refused.
 */
export function capturingTransport(
  transport: Transport,
  passes: (method: string) => boolean,
  captured: (call: CapturedCall) => void,
  interaction: string,
): Transport {
  return {
    stream: transport.stream.bind(transport),
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      if (passes(method.localName)) {
        return await transport.unary(method, signal, timeoutMs, header, input, contextValues);
      }
      const request = requestOf(method.localName, create(method.input, input), interaction);
      const response = await new Promise<TransactionResult["response"]>((resolve) =>
        captured({ request, settle: resolve }),
      );
      return unaryResponse(method, response);
    },
  };
}

/** The call as an entry of a transaction; refused where transactions have no such entry. */
function requestOf(name: string, message: unknown, interaction: string): TransactionEntry["request"] {
  const field = TransactionEntrySchema.fields.find(({ localName }) => localName === name);
  if (!field?.message) throw new MpiError("INTERACTION_NOT_OFFERED", { interaction });
  // Which case goes with which message is known by its field alone.
  return { case: name, value: message } as unknown as TransactionEntry["request"];
}

/** Responses that hold a resource alone are of one shape, whichever method found or stored it. */
function unaryResponse<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  { value }: TransactionResult["response"],
): UnaryResponse<I, O> {
  if (value === undefined) throw new ConnectError("the transaction gave no response", Code.Internal);
  const { $typeName: _name, ...content } = value;
  return {
    stream: false,
    service: method.parent,
    method,
    header: new Headers(),
    trailer: new Headers(),
    message: create(method.output, content as MessageShape<O>),
  };
}
