// How long a start takes, to the first answer: npm run bench:start -- --starts 5
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { aligned } from "./figures/aligned.ts";
import { median } from "./figures/median.ts";
import { parseNumbers } from "./figures/numbers.ts";
import { type BenchDatabase, prepareDatabase } from "./servers/database.ts";
import { startService } from "./servers/service.ts";

/** Milliseconds since the process was started. */
interface Start {
  readonly ready: number;
  /** A read with a token had its answer. */
  readonly answered: number;
}

interface Kind {
  readonly name: string;
  /** The slowest start may take so many milliseconds. */
  readonly bar: number;
  /** The settings of the next start. */
  environment(): Promise<Readonly<Record<string, string>>>;
}

const options = parseNumbers(
  "npm run bench:start -- [options]: how long a start takes, to the first answer",
  { patients: 20_000, starts: 5 },
);

const database = await prepareDatabase(options.patients, console.error);
// Whoever the embedded server runs as has to be able to enter it.
const folder = join(database.folder, `start-${process.pid}`);
await mkdir(folder);
try {
  await measure(kindsOf(database, folder));
} finally {
  await rm(folder, { recursive: true });
  await database.drop();
}

function kindsOf({ url, keyFile }: BenchDatabase, parent: string): Kind[] {
  const embedded = (dataDirectory: string) => ({
    DATABASE_URL: "",
    MPI_KEY_FILE: "",
    MPI_DATA_DIR: dataDirectory,
  });
  const existing = join(parent, "existing");
  let created = 0;
  return [
    {
      name: "PostgreSQL",
      bar: 3000,
      environment: async () => ({ DATABASE_URL: url, MPI_KEY_FILE: keyFile }),
    },
    {
      name: "new embedded database",
      bar: 5000,
      environment: async () => embedded(join(parent, `new-${++created}`)),
    },
    {
      name: "existing embedded database",
      bar: 3000,
      environment: async () => embedded(existing),
    },
  ];
}

async function measure(kinds: readonly Kind[]): Promise<void> {
  const head = ["", "ready ms", "answer ms", "worst ms", "bar ms"];
  const rows: string[][] = [];
  for (const kind of kinds) {
    console.error(`Starting: ${kind.name}`);
    // The first start of each may have to make what the others find.
    const starts: Start[] = [];
    for (let n = 0; n <= options.starts; n++) starts.push(await startOnce(await kind.environment()));
    const counted = starts.slice(1);
    const worst = Math.max(...counted.map(({ answered }) => answered));
    const ready = median(counted.map((start) => start.ready));
    const answered = median(counted.map((start) => start.answered));
    rows.push([kind.name, ...[ready, answered, worst, kind.bar].map((ms) => ms.toFixed(0))]);
    if (worst > kind.bar) {
      console.error(`Below its bar: ${kind.name}: ${worst.toFixed(0)} ms, the bar is ${kind.bar}`);
      process.exitCode = 1;
    }
  }
  console.log(aligned([head, ...rows], 1).join("\n"));
}

/** Starts the service, reads a patient whom there need not be, and stops it. */
async function startOnce(environment: Readonly<Record<string, string>>): Promise<Start> {
  const startedAt = performance.now();
  const service = await startService(environment);
  try {
    const ready = service.readyAt - startedAt;
    const answer = await fetch(`http://127.0.0.1:${service.port}/fhir/Patient/1`, {
      headers: service.caller,
    });
    await answer.arrayBuffer();
    if (answer.status !== 200 && answer.status !== 404)
      throw new Error(`A read was answered ${answer.status}.`);
    return { ready, answered: performance.now() - startedAt };
  } finally {
    await service.stop();
  }
}
