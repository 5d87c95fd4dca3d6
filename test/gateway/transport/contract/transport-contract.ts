import { createClient, type ServiceImplSpec } from "@connectrpc/connect";
import { afterEach, describe } from "vitest";
import { type Echo, EchoService, echoSpec } from "../../../grpc/echo-service.ts";
import { refusedCalls } from "./refused-calls.ts";
import { streams } from "./streams.ts";
import { unaryCalls } from "./unary-calls.ts";
import type { Way, WayTraits } from "./way.ts";

/** What holds for a client of the core, whichever way it calls. */
export function transportContract(
  name: string,
  open: (services: ServiceImplSpec[]) => Promise<Way>,
  traits: WayTraits,
): void {
  describe(`a client ${name}`, () => {
    let way: Way | undefined;
    afterEach(async () => {
      await way?.close();
      way = undefined;
    });

    async function clientOf(impl: Echo) {
      way = await open([echoSpec(impl)]);
      return createClient(EchoService, way.transport);
    }

    unaryCalls(clientOf);
    refusedCalls(clientOf, traits);
    streams(clientOf, traits);
  });
}
