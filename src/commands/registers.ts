// The adapters of the registers apart from the core: `npm run registers`. The core finds them by MPI_REGISTERS_ADDRESS.
import { pino } from "pino";
import { CLOSING_MS, stopOnce } from "../composition/stop-once.ts";
import { parseSettings } from "../config.ts";
import { startRegisters } from "../service.ts";

try {
  const settings = parseSettings(process.env);
  const log = pino({ level: settings.logLevel }, pino.destination(2));
  const registers = await startRegisters({ settings, log, progress: (step) => console.log(step) });
  console.log(`The register adapters are ready on port ${registers.grpcPort}.`);
  const stop = stopOnce(registers, {
    limitMs: settings.shutdownGrace + CLOSING_MS,
    failed: stoppingFailed,
    stopped: () => {
      if (!process.exitCode) console.log("Stopped");
    },
  });
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  console.error(`The register adapters did not start.\n${messageOf(error)}`);
  process.exitCode = 1;
}

function stoppingFailed(error: unknown): void {
  console.error(`Stopping failed.\n${messageOf(error)}`);
  process.exitCode = 1;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
