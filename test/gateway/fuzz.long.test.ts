import { randomInt } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchAs } from "../callers.ts";
import { type RunningService, startService } from "../service.ts";
import type { Invented } from "./fuzz/invented.ts";
import { requests } from "./fuzz/requests.ts";
import { outcomeFaults } from "./outcome-faults.ts";

/** How many are sent, and the number that leads to the same ones again. */
const REQUESTS = Number(process.env["MPI_FUZZ_REQUESTS"] ?? 100_000);
const SEED = Number(process.env["MPI_FUZZ_SEED"] ?? randomInt(2 ** 31));

const ROUNDS = 8;
const AT_ONCE = 16;
const MEGABYTE = 1024 ** 2;

let service: RunningService;

beforeAll(async () => {
  console.log(`MPI_FUZZ_SEED=${SEED} MPI_FUZZ_REQUESTS=${REQUESTS}`);
  service = await startService();
});

afterAll(() => service.stop());

test(`of ${REQUESTS} invented requests none is answered with 5xx, every refusal is an OperationOutcome, and no memory is kept`, async () => {
  const met = new Map<number, number>();
  const heaps: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sendInvented(SEED + round, Math.ceil(REQUESTS / ROUNDS / AT_ONCE), met);
    heaps.push(heapUsed());
    console.log(
      `round ${round + 1} of ${ROUNDS}: ${Math.round(performance.now() / 1000)} s, heap ${heaps.at(-1)} MB`,
    );
  }
  console.log(`statuses ${JSON.stringify(Object.fromEntries(met))}, heap in MB ${heaps.join(" ")}`);
  // Else they would have failed at the door, all of them.
  const every = [200, 201, 204, 304, 400, 404, 405, 406, 409, 412, 415];
  expect([...met.keys()].sort()).toEqual(expect.arrayContaining(every));
  // What is kept on purpose, such as prepared statements, is there after the second round.
  expect(heaps.at(-1)).toBeLessThan((heaps[1] ?? 0) + 30);
}, 7_200_000);

/** Several are on their way at once; what fails is shown as it was sent, for what is stored by then cannot be shrunk. */
async function sendInvented(seed: number, numRuns: number, met: Map<number, number>): Promise<void> {
  const together = fc.array(requests, { minLength: AT_ONCE, maxLength: AT_ONCE });
  const sent = fc.asyncProperty(together, async (several) => {
    const answers = await Promise.all(several.map(answerTo));
    for (const { status } of answers) met.set(status, (met.get(status) ?? 0) + 1);
    expect(answers.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });
  await fc.assert(sent, { seed, numRuns, endOnFailure: true });
}

async function answerTo(request: Invented): Promise<{ status: number; faults: string[]; request: Invented }> {
  const { path, ...init } = request;
  const signal = AbortSignal.timeout(120_000);
  const response = await fetchAs(`${service.url}${path}`, { ...init, signal });
  const text = await response.text();
  const { status } = response;
  const isRefusal = status >= 400 && request.method !== "HEAD";
  const faults = status >= 500 ? [text] : isRefusal ? outcomeFaults(text) : [];
  return { status, faults, request };
}

/** The heap of this process, which is that of the service too, after garbage collection: in MB. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return Math.round(process.memoryUsage().heapUsed / MEGABYTE);
}
