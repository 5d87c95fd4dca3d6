import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { type HttpAnswer, type HttpConnection, openHttpConnection } from "./http-connection.ts";
import type { Answers, Job, Offer, Outcome } from "./job.ts";

interface Counted {
  readonly latencies: RecordableHistogram;
  withoutRetryAfter: number;
}

/** Connections are opened so many at a time: a server takes only so many that it has not accepted yet. */
const OPENED_AT_ONCE = 64;
const TICK_MS = 1;

/** Sends requests at an even rate, each on a connection that is free, and takes down what is answered. */
export async function offer(
  { port }: Job,
  nextRequest: () => Buffer,
  { perSecond, seconds, connections }: Offer,
): Promise<Outcome> {
  const free = await openAll(port, connections);
  const tally = new Tally();
  const cpuAtStart = process.cpuUsage();
  const startedAt = performance.now();
  const sent = new Set<Promise<void>>();
  const send = async (connection: HttpConnection) => {
    const sentAt = performance.now();
    const answer = await connection.exchange(nextRequest());
    tally.count(answer, performance.now() - sentAt);
    free.push(isOver(answer) ? await reopened(connection, port) : connection);
  };
  let [offered, unsent] = [0, 0];
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - startedAt) / 1000) {
    for (const due = Math.floor(elapsed * perSecond); offered < due; offered++) {
      const connection = free.shift();
      if (!connection) {
        unsent++;
        continue;
      }
      const sending: Promise<void> = send(connection).finally(() => sent.delete(sending));
      sent.add(sending);
    }
    await delay(TICK_MS);
  }
  const took = (performance.now() - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuAtStart);
  await Promise.all(sent);
  for (const connection of free) connection.close();
  const generatorLoad = (cpu.user + cpu.system) / 1e6 / took;
  return { seconds: took, offered, unsent, ...tally.result(), generatorLoad };
}

async function openAll(port: number, count: number): Promise<HttpConnection[]> {
  const opened: HttpConnection[] = [];
  while (opened.length < count) {
    const some = Math.min(OPENED_AT_ONCE, count - opened.length);
    opened.push(...(await Promise.all(Array.from({ length: some }, () => openHttpConnection(port)))));
  }
  return opened;
}

/** Whether the server takes no more requests on the connection of this answer. */
function isOver({ status, header }: HttpAnswer): boolean {
  return status === 0 || /\r\nconnection: *close/i.test(header);
}

async function reopened(connection: HttpConnection, port: number): Promise<HttpConnection> {
  connection.close();
  return await openHttpConnection(port);
}

class Tally {
  readonly #byStatus = new Map<number, Counted>();
  readonly #created: string[] = [];

  count({ status, header }: HttpAnswer, ms: number): void {
    const counted = this.#byStatus.get(status) ?? { latencies: createHistogram(), withoutRetryAfter: 0 };
    this.#byStatus.set(status, counted);
    counted.latencies.record(Math.max(1, Math.round(ms * 1000)));
    if (!/\r\nretry-after: *\d/i.test(header)) counted.withoutRetryAfter++;
    if (status === 201) this.#created.push(/\r\nlocation: *\S*\/Patient\/(\d+)/i.exec(header)?.[1] ?? header);
  }

  result(): { readonly answers: readonly Answers[]; readonly created: readonly string[] } {
    const answers = [...this.#byStatus].map(([status, { latencies, withoutRetryAfter }]) => ({
      status,
      count: latencies.count,
      p50: latencies.percentile(50) / 1000,
      p99: latencies.percentile(99) / 1000,
      withoutRetryAfter,
    }));
    return { answers: answers.toSorted((one, other) => one.status - other.status), created: this.#created };
  }
}
