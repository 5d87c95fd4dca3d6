import type { Job } from "../load/job.ts";
import type { BenchDatabase } from "../servers/database.ts";
import type { RunningService } from "../servers/service.ts";

/** What is set up and asked. */
export interface Place {
  readonly database: BenchDatabase;
  readonly service: RunningService;
  /** The same index without an audit trail: to look at the trail there leaves no entry. */
  readonly unaudited: RunningService;
}

/**
 * What an operation may cost, as a multiple of what it costs at the smallest size: so much at any size, and so much more
 * for each that is shown or written besides.
 */
export interface Bar {
  readonly most: number;
  readonly each: number;
}

/** An operation at one size. */
export interface Cell {
  readonly operation: string;
  readonly size: number;
  readonly job: Job;
  /** Who is asked. */
  readonly pid: number;
}

/** Something that an index has more and more of. */
export interface Dimension {
  readonly name: string;
  /** What there is so much of. */
  readonly of: string;
  readonly sizes: readonly number[];
  readonly bars: Readonly<Record<string, Bar>>;
  /** There can be but one at a time: each size is made from the one before. */
  readonly isOneAfterTheOther?: true;
  /** Sets up the sizes beside each other and answers with what is measured of them. */
  prepare(place: Place, sizes: readonly number[]): Promise<Cell[]>;
}

export function limitOf({ most, each }: Bar, size: number, smallest: number): number {
  return most + each * (size - smallest);
}
