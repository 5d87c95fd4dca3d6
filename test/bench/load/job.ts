/** What a load generator is to send, over and over. */
export interface Job {
  readonly protocol: "http" | "grpc" | "grpc-stream";
  /** On this machine. */
  readonly port: number;
  /** gRPC: the path of the method. */
  readonly path: string;
  /** gRPC: what goes with every call. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Whole HTTP/1.1 requests, or encoded request messages; each is sent as often as any other. */
  readonly requests: readonly Uint8Array[];
  /** They are sent one after the other, and not at random. */
  readonly isInTurn?: true;
  /** Digits in the requests that are replaced by a number of their own each time, so that no two are the same. */
  readonly serial?: string;
  /** Over HTTP: what a good answer holds, and how often. */
  readonly expected?: Expected;
}

export interface Expected {
  readonly text: string;
  readonly times: number;
}

/** Requests in flight, and for how long. */
export interface Load {
  readonly concurrency: number;
  readonly seconds: number;
}

/** Requests that come when they come, whether or not those before them are answered. */
export interface Offer {
  readonly perSecond: number;
  readonly seconds: number;
  /** At most so many wait for their answers; a request that finds no connection free is not sent. */
  readonly connections: number;
}

/** Answers of one status, 0 for a connection that broke; times in milliseconds from sending to the whole answer. */
export interface Answers {
  readonly status: number;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  /** How many of them had no Retry-After. */
  readonly withoutRetryAfter: number;
}

/** What came of an offer. */
export interface Outcome {
  readonly seconds: number;
  readonly offered: number;
  /** Due when no connection was free. */
  readonly unsent: number;
  readonly answers: readonly Answers[];
  /** Ids of the resources that 201 was answered for. */
  readonly created: readonly string[];
  readonly generatorLoad: number;
}

/** What was seen during one run. */
export interface Measurement {
  /** Answers that were no failures. */
  readonly operations: number;
  readonly seconds: number;
  /** Of an answer, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** What the first failure was. */
  readonly failure?: string;
  /** Processor time that the generator itself took, as a share of the run; near 1 it is what was measured. */
  readonly generatorLoad: number;
}

/** Sends one request at a time. */
export interface Connection {
  /** Resolves with undefined when the answer is good, else with what was wrong with it. */
  send(request: Buffer): Promise<string | undefined>;
  close(): void;
}
