// The load generator's own process: it gets jobs, and runs them when it is told.

import type { Answer, Order } from "./generator.ts";
import type { Job } from "./job.ts";
import { offer } from "./offer.ts";
import { requestSource } from "./requests.ts";
import { run } from "./run.ts";

const FIRST_SERIAL = 910_000_000;

const jobs = new Map<string, { job: Job; nextRequest: () => Buffer }>();
const serials = serialsFrom(FIRST_SERIAL);

process.on("message", (order: Order) => {
  answer(order).then(
    (said) => process.send?.(said),
    (error: unknown) => process.send?.({ error: String(error) } satisfies Answer),
  );
});
process.on("disconnect", () => process.exit());

async function answer(order: Order): Promise<Answer> {
  if (order.kind === "define") {
    jobs.set(order.name, { job: order.job, nextRequest: requestSource(order.job, serials) });
    return {};
  }
  const found = jobs.get(order.name);
  if (!found) throw new Error(`There is no job ${order.name}.`);
  const { job, nextRequest } = found;
  if (order.kind === "offer") return { outcome: await offer(job, nextRequest, order.offer) };
  return { measurement: await run(job, nextRequest, order.load) };
}

function serialsFrom(first: number) {
  let last = first;
  return { next: (length: number) => String(++last).padStart(length, "0").slice(-length) };
}
