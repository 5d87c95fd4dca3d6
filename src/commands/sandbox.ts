// The sandbox alone: `npm run sandbox`. Settings: MPI_SANDBOX_PORT, MPI_SANDBOX_DATA.
import { parseSettings } from "../config.ts";
import { startSandbox } from "../sandbox/index.ts";
import { sandboxData, sandboxHost } from "../settings/register-settings.ts";

try {
  const settings = parseSettings(process.env);
  const sandbox = await startSandbox({
    host: sandboxHost,
    port: settings.sandboxPort,
    dataFile: sandboxData(settings.sandboxData),
  });
  console.log(`The sandbox is ready: ${sandbox.url}`);
  const stop = () => {
    sandbox.stop().then(() => console.log("Stopped"));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  console.error(`The sandbox did not start.\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
