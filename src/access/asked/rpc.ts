import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import type { InteractionName } from "../matrix/permissions.ts";
import type { Subject } from "./subjects.ts";

/** Something that a request asks to be done. */
export interface Asked {
  readonly interaction: InteractionName;
  /** The patients that it is about, as far as it names them. */
  readonly subjects: () => readonly Subject[];
  /** The place of the entry of a transaction that asks it. */
  readonly place?: number;
}

/** What requests of a method ask for. */
export type Rpc = readonly [method: DescMethod, asked: (request: never) => readonly Asked[]];

/** A method that asks for one thing, whatever the request says. */
export function rpc<I extends DescMessage>(
  method: DescMethod & { readonly input: I },
  interaction: InteractionName,
  subjects: (request: MessageShape<I>) => readonly Subject[] = () => [],
): Rpc {
  return [method, (request: MessageShape<I>) => [{ interaction, subjects: () => subjects(request) }]];
}

/** A method that asks for one or several things, as its request says. */
export function rpcOf<I extends DescMessage>(
  method: DescMethod & { readonly input: I },
  asked: (request: MessageShape<I>) => readonly Asked[],
): Rpc {
  return [method, asked];
}
