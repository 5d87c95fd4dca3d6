import { afterEach, describe, expect, it } from "vitest";
import { openTracing, type Tracing } from "../../src/tracing/index.ts";
import { Collector, WITHIN } from "./collector.ts";

interface Line {
  readonly status?: number;
  readonly lost?: number;
  readonly waiting?: number;
}

let collector: Collector;
let tracing: Tracing;
let lines: Line[];

async function tellingTo(status: Collector["status"] = 200, sample = 1): Promise<void> {
  collector = await Collector.start();
  collector.status = status;
  lines = [];
  const log = { warn: (line: Line) => void lines.push(line) };
  const settings = { tracesEndpoint: collector.endpoint, tracesSample: sample };
  const opened = await openTracing(settings, "test", log);
  if (!opened) throw new Error("Traces are not told.");
  tracing = opened;
}

afterEach(async () => {
  await tracing.stop();
  await collector.stop();
});

function tell(count: number): void {
  for (let n = 0; n < count; n++) tracing.begin(`work ${n}`, "internal", {}).end();
}

describe("spans are sent in the background", () => {
  it("together, and at a stop without waiting", async () => {
    await tellingTo();
    tell(3);
    await expect.poll(() => collector.spans.length, WITHIN).toBe(3);
    expect(collector.asked).toBe(1);
    tell(2);
    await tracing.stop();
    expect(collector.spans).toHaveLength(5);
    expect(lines).toEqual([]);
  });

  it("again when a collector that was away has come back, and that it was away is told once", async () => {
    await tellingTo();
    const { port } = collector;
    await collector.stop();
    tell(3);
    await expect.poll(() => lines.length, WITHIN).toBe(1);
    collector = await Collector.start(port);
    tell(1);
    await expect.poll(() => collector.spans.length, WITHIN).toBe(4);
    expect(lines).toMatchObject([{ waiting: 3, lost: 0 }]);
  });

  it.each([429, 503])("again when a collector said that it has too much to do: %d", async (status) => {
    await tellingTo(status);
    tell(3);
    await expect.poll(() => lines.length, WITHIN).toBe(1);
    collector.status = 200;
    await tracing.stop();
    expect(collector.spans).toHaveLength(3);
    expect(lines).toMatchObject([{ status }]);
  });

  it.each([400, 500])("never again when a collector finds fault with them: %d", async (status) => {
    await tellingTo(status);
    tell(3);
    await expect.poll(() => lines, WITHIN).toMatchObject([{ status, lost: 3, waiting: 0 }]);
    collector.status = 200;
    await tracing.stop();
    expect(collector.spans).toEqual([]);
  });

  it("once, though the answer of the collector that took them does not end", async () => {
    await tellingTo("endless");
    tell(3);
    await expect.poll(() => collector.asked, WITHIN).toBe(1);
    await tracing.stop();
    expect(collector.spans).toHaveLength(3);
    expect(lines).toEqual([]);
  });

  it("as many as can wait; more are lost, and counted", async () => {
    await tellingTo("hanging");
    tell(10_000);
    await tracing.stop();
    expect(lines).toMatchObject([{ lost: 10_000 }]);
  });

  it("and a collector that hangs holds up a stop no longer than two seconds", async () => {
    await tellingTo("hanging");
    tell(3);
    await expect.poll(() => collector.asked, WITHIN).toBe(1);
    const startedAt = performance.now();
    // An export may take ten at other times.
    await tracing.stop();
    expect(performance.now() - startedAt).toBeLessThan(9_500);
    expect(lines).toMatchObject([{ lost: 3 }]);
  });
});

describe("the share of traces that is told", () => {
  const SAMPLED = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, tracestate: "vendor=1" };
  const read = (headers: Partial<typeof SAMPLED>) => (name: keyof typeof SAMPLED) => headers[name];

  it("is of those that begin here: what the caller says is heeded", async () => {
    await tellingTo(200, 0);
    tell(20);
    tracing.begin("caller's", "server", {}, read(SAMPLED)).end();
    await tracing.stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(["caller's"]);
  });

  it("holds for all parts of a trace, here and elsewhere", async () => {
    await tellingTo(200, 0.5);
    const flags = Array.from({ length: 100 }, () => {
      const root = tracing.begin("root", "server", {});
      const part = root.child("part", "client");
      const elsewhere = tracing.begin("elsewhere", "server", {}, read({ traceparent: part.traceParent }));
      for (const span of [elsewhere, part, root]) span.end();
      return root.traceParent.slice(-2);
    });
    await tracing.stop();
    const sampled = flags.filter((flag) => flag === "01").length;
    expect(sampled).toBeGreaterThan(20);
    expect(sampled).toBeLessThan(80);
    expect(collector.spans).toHaveLength(3 * sampled);
  });

  it("passes tracestate on with the trace that it came with, and with no other", async () => {
    await tellingTo();
    const continued = tracing.begin("continued", "server", {}, read(SAMPLED));
    expect(continued.child("part", "client").traceState).toBe("vendor=1");
    const begun = tracing.begin("begun", "server", {}, read({ ...SAMPLED, traceparent: "00-x" }));
    expect([begun.traceState, begun.traceId === continued.traceId]).toEqual([undefined, false]);
    const long = read({ ...SAMPLED, tracestate: `vendor=${"1".repeat(600)}` });
    expect(tracing.begin("long", "server", {}, long).traceState).toBeUndefined();
  });
});

it.each([
  [`00-${"a".repeat(32)}-${"b".repeat(16)}-01`, true],
  [`cc-${"a".repeat(32)}-${"b".repeat(16)}-01-more`, true],
  [`00-${"a".repeat(32)}-${"b".repeat(16)}-01-more`, false],
  [`ff-${"a".repeat(32)}-${"b".repeat(16)}-01`, false],
  [`00-${"0".repeat(32)}-${"b".repeat(16)}-01`, false],
  [`00-${"a".repeat(32)}-${"0".repeat(16)}-01`, false],
  [`00-${"A".repeat(32)}-${"b".repeat(16)}-01`, false],
  ["", false],
])("traceparent %s is continued: %s", async (traceparent, isContinued) => {
  await tellingTo();
  const span = tracing.begin("work", "server", {}, (name) => (name === "traceparent" ? traceparent : null));
  expect(span.traceId === "a".repeat(32)).toBe(isContinued);
});

it("of very many parts of one piece of work the first are told, and how many are not", async () => {
  await tellingTo();
  const work = tracing.begin("work", "internal", {});
  const parts = Array.from({ length: 203 }, () => work.child("part", "client"));
  for (const part of parts) part.end();
  expect(parts.at(-1)?.traceParent.slice(-2)).toBe("00");
  work.end();
  await tracing.stop();
  expect(collector.spans.filter(({ name }) => name === "part")).toHaveLength(200);
  expect(collector.spans.at(-1)?.attributes).toEqual({ "mpi.untold_children": 3 });
});

it("what is not known of a piece of work is not told of it", async () => {
  await tellingTo();
  const work = tracing.begin("work", "server", { "http.request.method": "GET", "http.route": undefined });
  work.set({ "http.response.status_code": undefined, "mpi.request_id": "1" });
  work.end();
  await tracing.stop();
  expect(collector.spans.map(({ attributes }) => Object.keys(attributes))).toEqual([
    ["http.request.method", "mpi.request_id"],
  ]);
});
