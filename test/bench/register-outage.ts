// How fast reads are while a register is dead and others wait for it: npm run bench:registers
import { setTimeout as delay } from "node:timers/promises";
import type { FaultOrder } from "../../src/sandbox/faults.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { commandLine } from "../../src/settings/command-line.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { median } from "./figures/median.ts";
import { Generator } from "./load/generator.ts";
import type { Measurement } from "./load/job.ts";
import { type BenchDatabase, prepareDatabase } from "./servers/database.ts";
import { type RunningService, startService } from "./servers/service.ts";
import { httpRequest } from "./workload/http-request.ts";
import { sampleIds } from "./workload/material.ts";

const PERSON = people.people[0]?.personalCode ?? "";
const PATIENTS = 20_000;
const ROUNDS = 3;
const LOAD = { concurrency: 32, seconds: 4 };
/** Look-ups that are always under way beside the reads. */
const LOOKUPS = 8;
const PAUSE_MS = 100;
const TIMEOUT_MS = 3_000;

/** What the population register does meanwhile. */
const STATES: Readonly<Record<string, Omit<FaultOrder, "register">>> = {
  healthy: {},
  "hangs for a minute": { delayMs: 60_000 },
  "drops every connection": { drop: true },
  "answers garbage": { garbage: true },
};

type Server = Pick<RunningService, "port" | "caller">;
type Control = ReturnType<typeof sandboxControl>;

interface Round {
  readonly state: string;
  readonly reads: Measurement;
  /** Slowest look-up that was answered, in milliseconds. */
  readonly slowestLookup: number;
  readonly statuses: readonly number[];
}

commandLine(
  "npm run bench:registers: reads while a register is dead and others wait for it; it takes no options",
);
const database = await prepareDatabase(PATIENTS, (line) => console.error(line));
try {
  console.log(table(await measure(database)));
} finally {
  await database.drop();
}

async function measure(prepared: BenchDatabase): Promise<Round[]> {
  const service = await startService({
    DATABASE_URL: prepared.url,
    MPI_KEY_FILE: prepared.keyFile,
    MPI_REGISTER_TIMEOUT_MS: String(TIMEOUT_MS),
  });
  const generator = new Generator();
  try {
    const { port, caller } = service;
    const control = sandboxControl(service.sandboxUrl);
    const requests = (await sampleIds(prepared)).map((id) =>
      httpRequest(port, "GET", `/fhir/Patient/${id}`, caller),
    );
    await generator.define("read", { protocol: "http", port, path: "", requests });
    await generator.run("read", LOAD);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const state of Object.keys(STATES))
        rounds.push(await measureState(state, { port, caller }, control, generator));
    }
    return rounds;
  } finally {
    generator.stop();
    await service.stop();
  }
}

async function measureState(
  state: string,
  server: Server,
  control: Control,
  generator: Generator,
): Promise<Round> {
  await recovered(server, control);
  await control.fail({ register: "rr", ...STATES[state] });
  const lookups = keepLookingUp(server);
  const reads = await generator.run("read", LOAD);
  const { statuses, slowest } = await lookups.stop();
  await control.heal();
  return { state, reads, slowestLookup: slowest, statuses };
}

/** Heals the register, and waits until look-ups come by themselves again. */
async function recovered(server: Server, control: Control): Promise<void> {
  await control.heal();
  while ((await lookUp(server)) !== 200) await delay(PAUSE_MS);
}

/** The status of looking a person of the sandbox up, past every answer that is kept. */
async function lookUp({ port, caller }: Server): Promise<number> {
  const source = encodeURIComponent("https://rahvastikuregister.ee");
  const url = `http://127.0.0.1:${port}/fhir/Patient/$lookup?identifier=${PERSON}&source=${source}`;
  const { status } = await fetch(url, {
    headers: { ...caller, "cache-control": "no-cache", "x-road-issue": "bench" },
  });
  return status;
}

/** Looks up again and again, in several requests at once. */
function keepLookingUp(server: Server) {
  const statuses = new Set<number>();
  let slowest = 0;
  let going = true;
  const loops = Array.from({ length: LOOKUPS }, async () => {
    while (going) {
      const startedAt = performance.now();
      const status = await lookUp(server);
      statuses.add(status);
      slowest = Math.max(slowest, performance.now() - startedAt);
      // Refusals are quick: without a pause they would be measured, and not what they leave of the reads.
      await delay(PAUSE_MS);
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(loops);
      return { statuses: [...statuses].sort(), slowest };
    },
  };
}

function table(rounds: readonly Round[]): string {
  const perSecond = ({ reads }: Round) => reads.operations / reads.seconds;
  const healthy = median(rounds.filter(({ state }) => state === "healthy").map(perSecond));
  const rows = Object.keys(STATES).map((state) => {
    const its = rounds.filter((round) => round.state === state);
    const rate = median(its.map(perSecond));
    const p99 = median(its.map(({ reads }) => reads.p99));
    const slowest = Math.max(...its.map(({ slowestLookup }) => slowestLookup));
    const statuses = [...new Set(its.flatMap((round) => round.statuses))].sort().join(", ");
    return `| ${state} | ${rate.toFixed(0)} | ${(rate / healthy).toFixed(2)} | ${p99.toFixed(1)} | ${statuses} | ${slowest.toFixed(0)} |`;
  });
  return [
    "| population register | reads/s | to healthy | p99 ms | look-ups answered | slowest look-up ms |",
    "| --- | ---: | ---: | ---: | --- | ---: |",
    ...rows,
  ].join("\n");
}
