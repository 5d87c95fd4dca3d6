import { openLog } from "../composition/tracing.ts";
import { parseSettings } from "../config.ts";
import { reasons } from "../lifecycle/reasons.ts";
import { CLOSING_MS, stopOnce } from "../lifecycle/stop-once.ts";
import { startRegisters } from "../service.ts";
import { commandLine } from "../settings/command-line.ts";
import { tellUnknownSettings } from "../settings/unknown-settings.ts";

const USAGE = `npm run registers   the adapters of the registers apart from the core, which finds them by MPI_REGISTERS_ADDRESS

Settings are environment variables: docs/configuration.md.`;

commandLine(USAGE);
try {
  const settings = parseSettings(process.env);
  const log = openLog(settings);
  tellUnknownSettings(process.env, (unknown, words) => log.warn({ unknown }, words));
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
  console.error(`The register adapters did not start.\n${reasons(error)}`);
  process.exitCode = 1;
}

function stoppingFailed(error: unknown): void {
  console.error(`Stopping failed.\n${reasons(error)}`);
  process.exitCode = 1;
}
