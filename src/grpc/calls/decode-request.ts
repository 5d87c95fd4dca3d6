import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { readMessage } from "../../messages/index.ts";

const reasons = new WeakMap<Message, unknown>();

/**
 * The message in these bytes. Of bytes that are none it is an empty one, with `undecodableBecause` of it, for an
 * interceptor to refuse: what is thrown here reaches the client as grpc-js's own INTERNAL, and no log.
 */
export function decodeRequest(type: DescMessage, bytes: Uint8Array): Message {
  try {
    return readMessage(type, bytes);
  } catch (reason) {
    const message = create(type);
    reasons.set(message, reason);
    return message;
  }
}

/** Why the bytes of a message could not be decoded; undefined of one that was. */
export function undecodableBecause(message: Message): unknown {
  return reasons.get(message);
}
