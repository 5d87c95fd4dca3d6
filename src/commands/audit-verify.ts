// Verifies the audit trail: npm run audit:verify [-- --heads FILE]

import { readFile, rename, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { ChainHead, ChainProblem } from "../audit/index.ts";
import { parseSettings } from "../config.ts";
import { openStorage, verifyChains } from "../storage/index.ts";
import { reasons } from "./reasons.ts";
import { ProgressBar } from "./seed/progress-bar.ts";

const USAGE = `npm run audit:verify [-- --heads FILE]

Goes through every chain of the audit trail and tells of entries that were removed, changed, moved or cut off, by their
stream and number. The service may run meanwhile.

--heads FILE  Compares with the heads noted in FILE at an earlier time, and notes them anew when all is well. Kept where
              nobody who administers the database can write, it also shows a chain that was forged as a whole.

Ends with 0 when all is well, with 1 when anything is not, with 2 when it could not be told.
The database is that of the service: DATABASE_URL or the embedded one, MPI_DATA_DIR.`;

const MOST_SHOWN = 1_000;

await main();

async function main(): Promise<void> {
  try {
    const { values } = parseArgs({ options: { heads: { type: "string" }, help: { type: "boolean" } } });
    if (values.help) console.log(USAGE);
    else process.exitCode = (await verify(values.heads)) ? 0 : 1;
  } catch (error) {
    console.error(`The audit trail was not verified.\n${reasons(error)}`);
    process.exitCode = 2;
  }
}

/** Whether all is well. */
async function verify(headsFile: string | undefined): Promise<boolean> {
  const noted = headsFile === undefined ? undefined : await readHeads(headsFile);
  const log = { info: () => undefined, warn: () => undefined, error: (line: string) => console.error(line) };
  const storage = await openStorage(parseSettings(process.env), log, (step) => console.log(step));
  try {
    const heads: ChainHead[] = [];
    let problems = 0;
    let bar: ProgressBar | undefined;
    const { streams, entries } = await verifyChains(storage.database, {
      ...(noted && { noted }),
      problem(problem) {
        problems += 1;
        if (problems <= MOST_SHOWN) console.error(`\n${inWords(problem)}`);
      },
      head: (head) => void heads.push(head),
      progress(done, total) {
        bar ??= new ProgressBar(Math.max(total, 1), process.stdout);
        bar.show(done);
      },
    });
    console.log(
      `${entries} entries in ${streams} streams: ${problems === 0 ? "all is well" : `${problems} problems`}.`,
    );
    if (headsFile !== undefined && problems === 0) await writeHeads(headsFile, heads);
    return problems === 0;
  } finally {
    await storage.close();
  }
}

function inWords({ streamId, n, fault }: ChainProblem): string {
  const whose = streamId > 0n ? `writes of patient ${streamId}` : `lane ${-streamId} of a process`;
  return `Stream ${streamId} (${whose}), entry ${n}: ${fault}`;
}

/** A line a stream: its id, the number of its last entry, and the hash of that. */
async function readHeads(path: string): Promise<Map<bigint, ChainHead>> {
  const text = await readIfThere(path);
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line, at) => {
      const [, streamId, n, hash] = /^(-?\d+) (\d+) ([0-9a-f]{64})$/.exec(line) ?? [];
      if (!streamId || !n || !hash) throw new Error(`Line ${at + 1} of ${path} is no head.`);
      return [BigInt(streamId), { streamId: BigInt(streamId), n: BigInt(n), hash: Buffer.from(hash, "hex") }];
    }),
  );
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw cause;
  }
}

async function writeHeads(path: string, heads: readonly ChainHead[]): Promise<void> {
  const lines = heads.map(
    ({ streamId, n, hash }) => `${streamId} ${n} ${Buffer.from(hash).toString("hex")}\n`,
  );
  await writeFile(`${path}.new`, lines.join(""));
  await rename(`${path}.new`, path);
}
