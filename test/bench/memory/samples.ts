import { readFileSync } from "node:fs";

/** A size at a time, in bytes and in seconds since the load began. */
export interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** What some samples say of growth. */
export interface Growth {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
  /** Of the last two thirds, by the line of least squares, in bytes a second. */
  readonly slope: number;
  /** What the last two thirds added by that line, as a share of what there was when they began. */
  readonly share: number;
}

/** Bytes of a process that lie in memory. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`The system does not tell the memory of ${pid}.`);
  return Number(kilobytes) * 1024;
}

/** The first third is for caches to fill; at least three samples are needed. */
export function growthOf(samples: readonly Sample[]): Growth {
  const late = samples.slice(Math.floor(samples.length / 3));
  const [first, last] = [late[0], late.at(-1)];
  if (!first || !last || late.length < 2) throw new Error("There are too few samples to tell growth.");
  const slope = slopeOf(late);
  const bytesAt = (place: number) => samples.at(place)?.bytes ?? Number.NaN;
  return {
    start: bytesAt(0),
    middle: bytesAt(Math.floor(samples.length / 2)),
    end: bytesAt(-1),
    slope,
    share: (slope * (last.at - first.at)) / first.bytes,
  };
}

function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, bytes] = [mean((sample) => sample.at), mean((sample) => sample.bytes)];
  const covariance = mean((sample) => (sample.at - at) * (sample.bytes - bytes));
  return covariance / mean((sample) => (sample.at - at) ** 2);
}
