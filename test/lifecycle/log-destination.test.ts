import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LogDestination, type WriteBytes } from "../../src/lifecycle/log-destination.ts";

const FULL = "/dev/full";
const DESTINATION = JSON.stringify(import.meta.resolve("../../src/lifecycle/log-destination.ts"));
/** Logs, does something else meanwhile, and ends. */
const LOGGING = `
  import { setImmediate as turn } from "node:timers/promises";
  import { pino } from "pino";
  import { LogDestination } from ${DESTINATION};
  const log = pino({}, new LogDestination());
  for (let n = 0; n < 100; n++) {
    log.info({ n }, "line");
    await turn();
  }
  console.log("went on");
  log.info("last");`;
/** Ends before anything can be written in the background. */
const ENDING = `
  import { pino } from "pino";
  import { LogDestination } from ${DESTINATION};
  const log = pino({}, new LogDestination());
  for (let n = 0; n < 100; n++) log.info({ n }, "line");
  log.info("last");
  process.exit(1);`;

/** A process that logs to a file, or to us. */
function logging(to: number | "pipe", program = LOGGING) {
  return spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", to],
    timeout: 60_000,
  });
}

afterEach(() => {
  vi.useRealTimers();
});

it.skipIf(!existsSync(FULL))(
  "a process whose log is on a full disk goes on, and ends when it has done its work",
  async () => {
    const child = logging(openSync(FULL, "w"));
    const [said] = await Promise.all([child.stdout && text(child.stdout), once(child, "exit")]);
    expect({ code: child.exitCode, said }).toEqual({ code: 0, said: "went on\n" });
  },
);

it.each([
  ["when it has done its work", LOGGING],
  ["at once", ENDING],
])("every line of a process that ends %s is there, in order", async (_, program) => {
  const child = logging("pipe", program);
  const [logged] = await Promise.all([child.stderr && text(child.stderr), once(child, "exit")]);
  const lines = String(logged).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).n ?? JSON.parse(line).msg)).toEqual([
    ...Array.from({ length: 100 }, (_, n) => n),
    "last",
  ]);
});

it("lines that could not be written are counted, and told of when there is room again", () => {
  const disk = new Disk();
  const log = pino({ base: null, timestamp: false }, new LogDestination(disk.write));
  disk.room = 40;
  for (const n of [1, 2, 3]) log.info({ n }, "line");
  disk.room = 1_000;
  log.info({ n: 4 }, "line");
  expect(disk.lines()).toEqual([
    { level: 30, n: 1, msg: "line" },
    '{"level"',
    { level: 30, n: 4, msg: "line" },
    {
      level: 40,
      time: expect.any(Number),
      pid: process.pid,
      lines: 2,
      msg: "lines of the log could not be written",
    },
  ]);
});

it("a reader that is slow is waited for, and loses nothing", () => {
  vi.useFakeTimers();
  const disk = new Disk();
  const log = pino({ base: null, timestamp: false }, new LogDestination(disk.write));
  disk.refusal = "EAGAIN";
  for (const n of [1, 2, 3]) log.info({ n }, "line");
  vi.advanceTimersByTime(1_000);
  expect(disk.lines()).toEqual([]);
  disk.room = 1_000;
  vi.advanceTimersByTime(1_000);
  expect(disk.lines()).toEqual([1, 2, 3].map((n) => ({ level: 30, n, msg: "line" })));
});

describe("a reader that takes its time", () => {
  const MEGABYTE = 1024 * 1024;
  /** What waits at most. */
  const MOST_WAITING = 8 * MEGABYTE;
  /** A line of so many bytes, its end among them. */
  const line = (bytes: number, letter = "a") => `${letter.repeat(bytes - 1)}\n`;

  it("has one write at a time, and each line once, however few bytes it takes", () => {
    const reader = new Reader();
    const destination = new LogDestination(reader.write);
    for (const letter of ["a", "b", "c"]) destination.write(line(25, letter));
    expect(reader.isReading).toBe(true);
    while (reader.isReading) reader.take(10);
    destination.write(line(25, "d"));
    while (reader.isReading) reader.take(10);
    expect(reader.text).toBe(["a", "b", "c", "d"].map((letter) => line(25, letter)).join(""));
    expect(reader.mostAtOnce).toBe(1);
  });

  it("has so much kept for it at most, and is told how many lines are more", () => {
    const reader = new Reader();
    const destination = new LogDestination(reader.write);
    destination.write(line(10));
    for (let n = 0; n < 8; n++) destination.write(line(MEGABYTE));
    destination.write(line(10));
    destination.write(line(10));
    while (reader.isReading) reader.take(MOST_WAITING);
    const lines = reader.text.trimEnd().split("\n");
    expect(lines.slice(0, -1).map(({ length }) => length + 1)).toEqual([10, ...Array(8).fill(MEGABYTE)]);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      lines: 2,
      msg: "lines of the log could not be written",
    });
  });

  it("loses nothing when it keeps up, however much there is in all", () => {
    const reader = new Reader();
    const destination = new LogDestination(reader.write);
    for (let n = 0; n < 5; n++) {
      for (let one = 0; one < 5; one++) destination.write(line(MEGABYTE));
      while (reader.isReading) reader.take(MOST_WAITING);
    }
    expect(reader.text).toHaveLength(25 * MEGABYTE);
  });
});

/** Takes what is written to it when it is told to. */
class Reader {
  text = "";
  mostAtOnce = 0;
  readonly #writes: Parameters<WriteBytes>[] = [];

  readonly write: WriteBytes = (...write) => {
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#writes.push(write));
  };

  get isReading(): boolean {
    return this.#writes.length > 0;
  }

  take(most: number): void {
    const [, bytes, done] = this.#writes.shift() ?? [0, Buffer.of(), () => undefined];
    const taken = bytes.subarray(0, most);
    this.text += taken.toString();
    done(null, taken.length);
  }
}

/** Something that is written to, with so much room. */
class Disk {
  room = 0;
  refusal = "ENOSPC";
  #text = "";

  readonly write: WriteBytes = (_file, bytes, done) => {
    const taken = bytes.subarray(0, this.room);
    this.room -= taken.length;
    this.#text += taken.toString();
    if (taken.length === 0) done(Object.assign(new Error("no room"), { code: this.refusal }), 0);
    else done(null, taken.length);
  };

  /** Each as it was logged, or as it is where it was cut. */
  lines(): unknown[] {
    const lines = this.#text.split("\n").filter((line) => line !== "");
    return lines.map((line) => (line.endsWith("}") ? JSON.parse(line) : line));
  }
}
