import type { Client, HandlerContext, Transport } from "@connectrpc/connect";
import type { Echo, EchoService } from "../../../grpc/echo-service.ts";

/** A way from a client to a service, and what ends it. */
export interface Way {
  readonly transport: Transport;
  close(): Promise<void>;
}

export interface WayTraits {
  /** HTTP/1.1 has no calls that stream both ways. */
  readonly bidirectional: boolean;
  /** How many of 400 issues arrive at least. */
  readonly issuesThatFit: number;
}

/** Serves the implementation and gives a client of it. */
export type ClientOf = (impl: Echo) => Promise<Client<typeof EchoService>>;

export function abortOf({ signal }: HandlerContext): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
