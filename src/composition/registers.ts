import type { ServiceImplSpec, Transport } from "@connectrpc/connect";
import type { Logger } from "pino";
import { createInProcessTransport } from "../../gateway/transport/in-process/in-process.ts";
import { createRemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { tracedTransport } from "../../gateway/transport/traced-transport.ts";
import { currentSpan } from "../call/current-call.ts";
import type { Settings } from "../config.ts";
import { causesOf } from "../errors/index.ts";
import { adapterServices } from "../grpc/registers/adapter-services.ts";
import { registerClients } from "../grpc/registers/register-clients.ts";
import type { Stops } from "../lifecycle/stoppable.ts";
import type { Metrics } from "../metrics/index.ts";
import { xRoadFetch } from "../registers/index.ts";
import type { Registers } from "../registers/ports.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { clientTls, xRoadTls } from "../settings/tls-settings.ts";
import { answerStore, type Storage } from "../storage/index.ts";
import type { Tracing } from "../tracing/index.ts";
import { backgroundWork, startPurging } from "./background-work.ts";
import { chainOf } from "./core-chain.ts";
import { findRegisters, settingsInPlainText } from "./register-addresses.ts";
import { tracingWork } from "./tracing.ts";

/** What the registers are connected with. */
export interface RegisterOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly progress: (step: string) => void;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}

/** What every client of gRPC reads unless told otherwise: adapters have no more to say. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

/** To be logged where adapters run apart without certificates of their clients. */
export const ANYBODY_IS_ANSWERED =
  "whoever reaches this port is told what the registers know of anybody: set MPI_GRPC_TLS_CA, or let nobody but the cores reach it";

/** The registers, by adapters elsewhere or by those of this process. */
export async function connectRegisters(
  options: RegisterOptions,
  storage: Pick<Storage, "database" | "keys">,
  stops: Stops,
): Promise<{ readonly registers: Registers; readonly sandbox: Sandbox | undefined }> {
  const { registersAddress, registerTimeout: timeoutMs } = options.settings;
  if (registersAddress !== undefined) {
    const tls = clientTls(options.settings);
    const transport = createRemoteTransport({
      target: registersAddress,
      mostAnswerBytes: MOST_ANSWER_BYTES,
      ...(tls && { tls }),
    });
    stops.push(async () => transport.close());
    return {
      registers: registerClients({ transport: traced(transport, options), timeoutMs }),
      sandbox: undefined,
    };
  }
  const { services, sandbox } = await localAdapters(options, storage, stops);
  const transport = traced(createInProcessTransport(services), options);
  return { registers: registerClients({ transport, timeoutMs }), sandbox };
}

/** The way to the adapters: questions are parts of the work that they are asked for in its trace. */
function traced(transport: Transport, { tracing }: RegisterOptions): Transport {
  if (!tracing) return transport;
  return tracedTransport(transport, (name, attributes) => currentSpan()?.child(name, "client", attributes));
}

/** The adapters of this process, and the sandbox where it stands in for the registers. */
export async function localAdapters(
  { settings, log, progress, metrics, tracing }: RegisterOptions,
  storage: Pick<Storage, "database" | "keys">,
  stops: Stops,
): Promise<{ readonly services: ServiceImplSpec[]; readonly sandbox: Sandbox | undefined }> {
  const { database, keys } = storage;
  const { addresses, sandbox } = await findRegisters(settings);
  if (sandbox) {
    stops.push(() => sandbox.stop());
    progress(`The sandbox stands in for registers at ${sandbox.url}`);
  }
  warnOfPlainText(settings, log);
  const work = backgroundWork(database, settings.errorSystems, log, tracingWork(tracing));
  stops.push(startPurging(work));
  const options = {
    addresses,
    client: settings.xRoadClient,
    timeoutMs: settings.registerTimeout,
    fetch: await xRoadFetch(addresses, xRoadTls(settings)),
    store: answerStore(database, keys, (error) =>
      log.warn(
        { causes: causesOf(error) },
        "a kept answer of a register does not open: it is asked for anew",
      ),
    ),
    keepMs: settings.registerKeepSeconds * 1000,
    now: () => new Date(),
    metrics,
  };
  return { services: adapterServices(options, chainOf({ settings, log, metrics, tracing })), sandbox };
}

/** Whoever sets certificates towards registers does not mean to ask them without. */
function warnOfPlainText(settings: Settings, log: Logger): void {
  const inPlainText = xRoadTls(settings) ? settingsInPlainText(settings) : [];
  if (inPlainText.length === 0) return;
  log.warn(
    { settings: inPlainText },
    "registers at http addresses are asked in plain text: MPI_XROAD_TLS_* is for https",
  );
}
