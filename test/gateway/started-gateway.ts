import type { Transport } from "@connectrpc/connect";
import { pino } from "pino";
import { type GatewayOptions, startGateway } from "../../gateway/server.ts";
import { createRemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";

/** What a test may want of its gateway. */
type Wanted = Partial<Omit<GatewayOptions, "transport">>;

export interface StartedGateway {
  /** Base of HTTP, such as http://127.0.0.1:41234. */
  readonly url: string;
  readonly port: number;
  stop(graceMs?: number): Promise<void>;
}

/** A gateway on a free port, to whatever is at the other end of the transport. */
export async function startGatewayTo(transport: Transport, wanted: Wanted = {}): Promise<StartedGateway> {
  const { port, stop } = await startGateway({
    host: "127.0.0.1",
    port: 0,
    connectServices: [],
    defaultLanguage: "en",
    errorSystems: defaultErrorSystems,
    log: pino({ level: "silent" }),
    ...wanted,
    transport,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: (graceMs = 1_000) => stop({ graceMs, lastRequestsMs: 0 }),
  };
}

/** A gateway that asks the core at that address by gRPC. */
export async function startGatewayApart(
  target: string,
  { gatherCalls = false, ...wanted }: Wanted & { readonly gatherCalls?: boolean } = {},
): Promise<StartedGateway> {
  const transport = createRemoteTransport({ target, gatherCalls });
  const gateway = await startGatewayTo(transport, wanted);
  return {
    ...gateway,
    async stop(graceMs) {
      await gateway.stop(graceMs);
      transport.close();
    },
  };
}
