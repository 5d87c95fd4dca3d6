import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import type { CallOptions } from "@grpc/grpc-js";
import { readMessage, writeMessage } from "../../../src/messages/index.ts";

/** How the messages of a method travel: its path, what goes out, what comes in. */
export interface Wire<I extends DescMessage, O extends DescMessage> {
  readonly path: string;
  readonly encode: (message: MessageShape<I>) => Buffer;
  readonly decode: (bytes: Buffer) => MessageShape<O>;
}

const known = new WeakMap<DescMethod, unknown>();

/** The wire of a method, made once. */
export function wireOf<I extends DescMessage, O extends DescMessage>(
  method: DescMethod & { input: I; output: O },
): Wire<I, O> {
  const made = known.get(method) as Wire<I, O> | undefined;
  if (made) return made;
  const wire = newWire(method);
  known.set(method, wire);
  return wire;
}

function newWire<I extends DescMessage, O extends DescMessage>(
  method: DescMethod & { input: I; output: O },
): Wire<I, O> {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    encode: (message) => {
      const bytes = writeMessage(method.input, message);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    decode: (bytes) => readMessage(method.output, bytes),
  };
}

/** The deadline of a call, so that the core learns it too. */
export function deadlineIn(timeoutMs: number | undefined): CallOptions {
  return timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
}
