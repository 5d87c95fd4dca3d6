// How the ratios change as the index grows: npm run bench:growth -- --patients 20000,200000 --audit-entries 1000000
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine, orEndWithUsage } from "../../src/settings/command-line.ts";
import { aligned } from "./figures/aligned.ts";
import { positive } from "./figures/numbers.ts";
import type { Report } from "./ratios/report.ts";
import type { Figures } from "./ratios/rounds.ts";

interface Size {
  readonly patients: number;
  readonly auditEntries: number;
}

type Ratios = ReadonlyMap<string, Figures>;

/** A ratio may fall by this share of what it is at the smallest size. */
const BAR = 0.2;
const BENCH = join(import.meta.dirname, "main.ts");
const WAY = "one process";
const ONLY = "read,search,create,update";

const text = { type: "string" } as const;
const USAGE = `npm run bench:growth -- [options]: how the ratios change as the index grows

  --patients N,M       sizes of the index (20000,200000)
  --audit-entries N    entries in the audit trail of the smallest, measured again with them
  --concurrency N      requests in flight (32)
  --seconds N          length of a measurement (1)
  --rounds N           measurements of each way (20)`;

const { values } = commandLine(USAGE, {
  patients: { ...text, default: "20000,200000" },
  "audit-entries": text,
  concurrency: { ...text, default: "32" },
  seconds: { ...text, default: "1" },
  rounds: { ...text, default: "20" },
});

const sizes = orEndWithUsage(USAGE, () =>
  sizesOf(
    values.patients.split(",").map((given) => positive("--patients", given)),
    values["audit-entries"],
  ),
);
const folder = await mkdtemp(join(tmpdir(), "patient-index-growth-"));
try {
  const measured: Ratios[] = [];
  for (const size of sizes) measured.push(await measure(size));
  tell(measured);
} finally {
  await rm(folder, { recursive: true });
}

/** Ascending; then the smallest again with entries in its trail. */
function sizesOf(patients: readonly number[], auditEntries: string | undefined): Size[] {
  const ascending = patients.toSorted((one, other) => one - other);
  const sizes = ascending.map((count) => ({ patients: count, auditEntries: 0 }));
  const [smallest] = sizes;
  if (auditEntries === undefined || !smallest) return sizes;
  return [...sizes, { ...smallest, auditEntries: positive("--audit-entries", auditEntries) }];
}

async function measure({ patients, auditEntries }: Size): Promise<Ratios> {
  console.error(`Measuring ${patients} patients, ${auditEntries} audit entries`);
  const json = join(folder, `${patients}-${auditEntries}.json`);
  const { concurrency, seconds, rounds } = values;
  const options = { patients: String(patients), only: ONLY, ways: WAY, json, concurrency, seconds, rounds };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const entries = auditEntries > 0 ? ["--audit-entries", String(auditEntries)] : [];
  const bench = spawn(process.execPath, [BENCH, ...given, ...entries], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(bench, "exit");
  if (code !== 0) throw new Error("The benchmark did not end.");
  const { figures } = JSON.parse(await readFile(json, "utf8")) as Report;
  return new Map(figures.filter(({ way }) => way === WAY).map((one) => [one.scenario, one]));
}

function tell(measured: readonly Ratios[]): void {
  const scenarios = ONLY.split(",");
  const head = ["patients", "audit entries", ...scenarios.flatMap((name) => [name, "change"])];
  const rows = measured.map((ratios, place) => {
    const { patients = 0, auditEntries = 0 } = sizes[place] ?? {};
    const cells = scenarios.flatMap((name) => [
      (ratios.get(name)?.ratio ?? Number.NaN).toFixed(3),
      percent(changeOf(ratios, measured[0], name)),
    ]);
    return [String(patients), String(auditEntries), ...cells];
  });
  console.log(aligned([head, ...rows], 0).join("\n"));
  for (const [place, ratios] of measured.entries()) {
    for (const name of scenarios) {
      const change = changeOf(ratios, measured[0], name);
      if (change >= -BAR) continue;
      const { patients, auditEntries } = sizes[place] ?? {};
      console.error(
        `Below its bar: ${name} at ${patients} patients and ${auditEntries} audit entries: ${percent(change)}`,
      );
      process.exitCode = 1;
    }
  }
}

function changeOf(ratios: Ratios, smallest: Ratios | undefined, name: string): number {
  return (ratios.get(name)?.ratio ?? Number.NaN) / (smallest?.get(name)?.ratio ?? Number.NaN) - 1;
}

function percent(share: number): string {
  return `${share >= 0 ? "+" : ""}${(share * 100).toFixed(0)} %`;
}
