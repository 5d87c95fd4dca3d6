import type { Transport } from "@connectrpc/connect";
import type { Logger } from "pino";
import type { ErrorSystems, Language } from "../../src/errors/index.ts";
import type { Core } from "./core.ts";
import type { FailureLog } from "./failure-log.ts";

/** What holds for every request of a gateway. */
export interface GatewayContext {
  readonly core: Core;
  /** The way to the core. */
  readonly transport: Transport;
  /** Origin of links and Location, such as https://mpi.example.ee; the Host of the request when not set. */
  readonly publicUrl: string | undefined;
  /** Language of texts for those who ask for none of ours. */
  readonly defaultLanguage: Language;
  readonly errorSystems: ErrorSystems;
  /** Largest body, in bytes. */
  readonly bodyLimit: number;
  /** How long the core may take for one call, in milliseconds. */
  readonly callTimeoutMs: number;
  readonly log: Logger;
  /** Notes requests that failed by no fault of their callers. */
  readonly failures: FailureLog;
}
