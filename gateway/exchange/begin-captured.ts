import type { Transport } from "@connectrpc/connect";
import { type CapturedCall, capturingTransport } from "../transport/captured-call.ts";
import { type Core, coreOf } from "./core.ts";

/** An interaction that waits for its call of the core to be done, or has answered without one. */
export interface Captured<Answered> {
  readonly call: CapturedCall | undefined;
  readonly answer: Promise<Answered>;
}

/** How an interaction is captured: see `capturingTransport`. */
export interface Capturing {
  readonly transport: Transport;
  readonly passes?: (method: string) => boolean;
  readonly interaction: string;
}

/** Begins an interaction up to its call of the core, which is captured. Rejects where the interaction does before. */
export async function beginCaptured<Answered>(
  { transport, passes = () => false, interaction }: Capturing,
  begin: (core: Core) => Answered | Promise<Answered>,
): Promise<Captured<Answered>> {
  const { promise, resolve } = Promise.withResolvers<CapturedCall>();
  const answer = Promise.try(begin, coreOf(capturingTransport(transport, passes, resolve, interaction)));
  const call = await Promise.race([promise, answer.then(() => undefined)]);
  return { call, answer };
}
