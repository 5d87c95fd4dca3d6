// Verifies the audit trail: npm run audit:verify [-- --heads FILE [--first]]

import type { ChainHead, ChainProblem } from "../audit/index.ts";
import type { Settings } from "../config.ts";
import type { IndexKeys } from "../identifier-index/index.ts";
import { reasons } from "../lifecycle/reasons.ts";
import { commandLine, endWithUsage } from "../settings/command-line.ts";
import {
  type AuditKeyProblem,
  type Database,
  keysAtHand,
  openDatabaseAsItIs,
  verifyChains,
} from "../storage/index.ts";
import { type NotedHeads, readHeads, writeHeads } from "./audit-verify/noted-heads.ts";
import { settingsOfProgram } from "./settings.ts";
import { errorsAlone } from "./terminal/errors-alone.ts";
import { ProgressBar } from "./terminal/progress-bar.ts";

const USAGE = `npm run audit:verify [-- --heads FILE [--first]]

Goes through every chain of the audit trail and tells of entries that were removed, changed, moved or cut off, by their
stream and number, and of keys without which entries cannot be read. The service may run meanwhile.

--heads FILE  Compares with the heads noted in FILE at an earlier time, and notes them anew when all is well. Kept where
              nobody who administers the database can write, it also shows a chain that was forged as a whole, and
              a stream that was removed with its head.
--first       FILE is not there yet: notes the heads in it for the first time.

Ends with 0 when all is well, with 1 when anything is not, with 2 when it could not be told.
The database is that of the service: DATABASE_URL or the embedded one, MPI_DATA_DIR. It is only read; no keys are needed.
Where they are at hand, it is looked at too whether the keys open that entries are sealed with.`;

const MOST_SHOWN = 1_000;

interface Options {
  readonly headsFile: string | undefined;
  readonly isFirst: boolean;
}

await main();

async function main(): Promise<void> {
  const options = parseCommandLine();
  try {
    process.exitCode = await verify(options);
  } catch (error) {
    console.error(`The audit trail was not verified.\n${reasons(error)}`);
    process.exitCode = 2;
  }
}

function parseCommandLine(): Options {
  const { values } = commandLine(USAGE, {
    heads: { type: "string" },
    first: { type: "boolean", default: false },
  });
  if (values.heads === "") endWithUsage(USAGE, "--heads needs the name of a file.");
  if (values.first && values.heads === undefined) endWithUsage(USAGE, "--first goes with --heads.");
  return { headsFile: values.heads, isFirst: values.first };
}

/** The exit code. */
async function verify({ headsFile, isFirst }: Options): Promise<number> {
  const noted = headsFile === undefined ? undefined : await readHeads(headsFile, isFirst);
  const settings = settingsOfProgram();
  const { database, close } = await openDatabaseAsItIs(settings, errorsAlone, (step) => console.log(step));
  try {
    const keys = await keysOrNote(settings, database);
    const { heads, streams, entries, problems } = await lookThrough(database, noted, keys);
    if (problems === 0 && streams === 0)
      throw new Error("There is no audit trail: nothing was recorded, or all of it is gone.");
    console.log(
      `${entries} entries in ${streams} streams: ${problems === 0 ? "all is well" : `${problems} problems`}.`,
    );
    console.log(comparison(noted, isFirst));
    if (headsFile !== undefined && problems === 0) await writeHeads(headsFile, heads);
    return problems === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

function comparison(noted: NotedHeads | undefined, isFirst: boolean): string {
  if (!noted) return "Compared with no noted heads: a stream that was removed with its head does not show.";
  return isFirst ? "The heads were noted for the first time." : `Compared with ${noted.size} noted heads.`;
}

/** The keys of the index; who verifies the trail need not have them. */
async function keysOrNote(settings: Settings, database: Database): Promise<IndexKeys | undefined> {
  try {
    return await keysAtHand(settings, database);
  } catch (cause) {
    console.log(`Whether entries can be opened is not looked at:\n${reasons(cause)}`);
    return undefined;
  }
}

async function lookThrough(database: Database, noted: NotedHeads | undefined, keys: IndexKeys | undefined) {
  const heads: ChainHead[] = [];
  let problems = 0;
  const shown: { bar?: ProgressBar } = {};
  const tell = (problem: string) => {
    problems += 1;
    if (problems <= MOST_SHOWN) console.error(`\n${problem}`);
  };
  const found = await verifyChains(database, {
    ...(noted && { noted }),
    ...(keys && { keys }),
    problem: (problem) => tell(chainInWords(problem)),
    keyProblem: (problem) => tell(keyInWords(problem)),
    head: (head) => void heads.push(head),
    progress(done, total) {
      shown.bar ??= new ProgressBar(Math.max(total, 1), process.stdout);
      shown.bar.show(done);
    },
  });
  // Of a trail that lacks entries it is not full.
  shown.bar?.close();
  return { ...found, heads, problems };
}

function chainInWords({ streamId, n, fault }: ChainProblem): string {
  const whose = streamId > 0n ? `writes of patient ${streamId}` : `lane ${-streamId} of a process`;
  return `Stream ${streamId} (${whose}), entry ${n}: ${fault}`;
}

function keyInWords({ keyId, entries, fault }: AuditKeyProblem): string {
  return `Key ${keyId} of ${entries} entries ${fault}: they cannot be read`;
}
