import { commandLine, orEndWithUsage } from "../../../src/settings/command-line.ts";
import { positive } from "../figures/numbers.ts";
import { type Scenario, scenarios, type Way, ways } from "./scenarios.ts";

export interface Options {
  readonly patients: number;
  /** Entries in the audit trail before the first measurement. */
  readonly auditEntries: number;
  readonly concurrency: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** How long each way answers before it is measured: what has just started compiles while it answers. */
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly only: readonly Scenario[];
  /** The yardstick is always among them. */
  readonly ways: readonly Way[];
  readonly json: string | undefined;
  readonly check: boolean;
  /** Folder for a processor profile of each server. */
  readonly profile: string | undefined;
}

const ours = ways.filter((way) => way !== "yardstick");

const USAGE = `npm run bench -- [options]

  --patients N     people in the database (20000); it is kept and used again
  --audit-entries N  entries in the audit trail, which are kept, too (0)
  --concurrency N  requests in flight (32)
  --seconds N      length of a measurement (1)
  --warm-up N      seconds that each way answers before it is measured (12)
  --rounds N       measurements of each way, taken in turn; medians are shown (15)
  --only A,B       of ${scenarios.join(", ")}
  --ways A,B       of ${ours.join(", ")}; beside the yardstick
  --json FILE      writes the figures there too
  --check          ends with 1 when a figure misses its bar
  --profile DIR    writes a processor profile of each server there (.cpuprofile)

The database server is that of MPI_BENCH_DATABASE_URL or DATABASE_URL, where databases of its own are made and the
role needs CREATEDB, or else an embedded one.`;

/** The options of the command line. */
export function parseOptions(): Options {
  const text = { type: "string" } as const;
  const { values } = commandLine(USAGE, {
    patients: { ...text, default: "20000" },
    concurrency: { ...text, default: "32" },
    seconds: { ...text, default: "1" },
    "warm-up": { ...text, default: "12" },
    rounds: { ...text, default: "15" },
    only: text,
    ways: text,
    "audit-entries": text,
    json: text,
    profile: text,
    check: { type: "boolean", default: false },
  });
  return orEndWithUsage(USAGE, () => ({
    patients: positive("--patients", values.patients),
    auditEntries:
      values["audit-entries"] === undefined ? 0 : positive("--audit-entries", values["audit-entries"]),
    concurrency: positive("--concurrency", values.concurrency),
    seconds: positive("--seconds", values.seconds),
    warmUpSeconds: positive("--warm-up", values["warm-up"]),
    rounds: positive("--rounds", values.rounds),
    only:
      values.only === undefined
        ? scenarios
        : values.only.split(",").map((name) => among("--only", scenarios, name)),
    ways:
      values.ways === undefined
        ? ways
        : ["yardstick", ...values.ways.split(",").map((name) => among("--ways", ours, name))],
    json: values.json,
    check: values.check,
    profile: values.profile,
  }));
}

function among<const Known extends string>(option: string, known: readonly Known[], name: string): Known {
  const found = known.find((one) => one === name);
  if (found === undefined) throw new Error(`${option} knows ${known.join(", ")}, and not ${name}.`);
  return found;
}
