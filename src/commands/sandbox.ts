import { reasons } from "../lifecycle/reasons.ts";
import { startSandbox } from "../sandbox/index.ts";
import { commandLine } from "../settings/command-line.ts";
import { sandboxData, sandboxHost } from "../settings/register-settings.ts";
import { settingsOfProgram } from "./settings.ts";

const USAGE = `npm run sandbox   the stand-in of the registers and the token issuer alone

Settings are environment variables: MPI_SANDBOX_PORT, MPI_SANDBOX_DATA (docs/sandbox.md).`;

commandLine(USAGE);
try {
  const settings = settingsOfProgram();
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
  console.error(`The sandbox did not start.\n${reasons(error)}`);
  process.exitCode = 1;
}
