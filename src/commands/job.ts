// Background jobs: npm run job -- TYPE | list | watch ID | cancel ID
import { jobTypes } from "../jobs/index.ts";
import { commandLine, endWithUsage } from "../settings/command-line.ts";
import { sandboxHost } from "../settings/register-settings.ts";
import { clientTls } from "../settings/tls-settings.ts";
import { administratorHeaders } from "./job/caller.ts";
import { type JobClient, openJobClient, refusalLines } from "./job/client.ts";
import { exitCodeOf, JobDisplay, jobLines } from "./job/show.ts";
import { settingsOfProgram } from "./settings.ts";

const USAGE = `npm run job -- COMMAND

TYPE        starts a job and watches it to its end: ${jobTypes.join(", ")}
list        shows standing work and the latest jobs
watch ID    watches a job to its end
cancel ID   cancels a job

The service is asked at MPI_CORE_ADDRESS (127.0.0.1 and MPI_GRPC_PORT unless given), with the access token of an
administrator or steward in MPI_TOKEN; without one the sandbox at MPI_SANDBOX_PORT issues it.
Exit code: 0 done, 1 failed or refused, 2 cancelled, 3 done with problems, 64 a wrong command line. See docs/jobs.md.`;

type Command = (client: JobClient) => Promise<number>;

await main();

async function main(): Promise<void> {
  const command = readCommand();
  try {
    process.exitCode = await withClient(command);
  } catch (error) {
    for (const line of refusalLines(error)) console.error(line);
    process.exitCode = 1;
  }
}

function readCommand(): Command {
  const [name, id] = commandLine(USAGE, {}, 2).positionals;
  if (name === undefined) return endWithUsage(USAGE);
  if (name === "watch" || name === "cancel") {
    if (id === undefined) return endWithUsage(USAGE, `The id of the job to ${name} is missing.`);
    return (client) => (name === "watch" ? watch(client, id) : cancel(client, id));
  }
  if (id !== undefined) return endWithUsage(USAGE, `There is one word too many: ${id}`);
  return name === "list" ? list : (client) => start(client, name);
}

async function withClient(action: Command): Promise<number> {
  const settings = settingsOfProgram();
  const { MPI_TOKEN: token, MPI_CORE_ADDRESS: address } = process.env;
  const tls = clientTls(settings);
  const headers = await administratorHeaders({
    token: token || undefined,
    sandboxUrl: `http://${sandboxHost}:${settings.sandboxPort}`,
  });
  const target = address || `127.0.0.1:${settings.grpcPort}`;
  const client = openJobClient({ target, ...(tls && { tls }) }, headers);
  try {
    return await action(client);
  } finally {
    client.close();
  }
}

async function start(client: JobClient, type: string): Promise<number> {
  const { job, wasThere } = await client.start(type);
  if (wasThere) console.log(`${job.id} is there already`);
  return await watch(client, job.id);
}

async function watch(client: JobClient, id: string): Promise<number> {
  const display = new JobDisplay(process.stdout);
  let exitCode = 1;
  for await (const job of client.watch(id)) {
    display.show(job);
    exitCode = exitCodeOf(job);
    if (job.endedAt) for (const line of jobLines(job)) console.log(line);
  }
  return exitCode;
}

async function list(client: JobClient): Promise<number> {
  for (const job of await client.list()) for (const line of jobLines(job)) console.log(line);
  return 0;
}

async function cancel(client: JobClient, id: string): Promise<number> {
  for (const line of jobLines(await client.cancel(id))) console.log(line);
  return 0;
}
