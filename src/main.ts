import { pino } from "pino";
import { parseSettings, SettingsError } from "./config.ts";
import { type Service, startService } from "./service.ts";

const withGateway = !process.argv.includes("--core");

await main();

async function main(): Promise<void> {
  try {
    const settings = parseSettings(process.env);
    const log = pino({ level: settings.logLevel }, pino.destination(2));
    const service = await startService({ settings, log, progress: (step) => console.log(step), withGateway });
    if (service.httpPort !== undefined) {
      console.log(
        `The patient index is ready: http://${shownHost(settings.httpHost)}:${service.httpPort}/fhir/metadata`,
      );
    }
    stopOnSignal(service);
  } catch (error) {
    console.error(`The patient index did not start.\n${reasons(error)}`);
    process.exitCode = 1;
  }
}

function stopOnSignal(service: Service): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    console.log("Stopping");
    service.stop().then(
      () => console.log("Stopped"),
      (error) => {
        console.error(`Stopping failed.\n${reasons(error)}`);
        process.exitCode = 1;
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function shownHost(host: string): string {
  return host === "::" || host === "0.0.0.0" ? "localhost" : host;
}

/** The messages of an error and its causes; of settings these are all that is wrong with them. */
function reasons(error: unknown): string {
  const lines: string[] = [];
  for (let one = error; one instanceof Error && lines.length < 8; one = one.cause) {
    lines.push(one instanceof SettingsError ? one.message : `${one.name}: ${one.message}`);
  }
  return lines.join("\n");
}
