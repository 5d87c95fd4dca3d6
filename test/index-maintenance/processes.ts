import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { MpiError } from "../../src/errors/index.ts";
import type { HeldKeys, IndexKey } from "../../src/identifier-index/index.ts";
import type { KeyRotations } from "../../src/index-maintenance/ports.ts";
import type { JobProgress, JobRun } from "../../src/jobs/ports.ts";
import type { PatientStore } from "../../src/patients/index.ts";
import { type Database, openDatabase } from "../../src/storage/connection/database.ts";
import { keyRotations, patientStore } from "../../src/storage/index.ts";
import { type FollowedKeys, followKeys } from "../../src/storage/index-keys/follow-keys.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { newIndexKey } from "../storage/index-keys.ts";
import { WayToDatabase } from "../way-to-database.ts";

export const NOW = new Date("2026-06-01T12:00:00.000Z");

/** A process that serves: it has its own connections and follows the keys by itself. */
export interface Process {
  readonly database: Database;
  readonly followed: FollowedKeys;
  readonly store: PatientStore;
  readonly rotations: KeyRotations;
  stop(): Promise<void>;
}

/** Keys as an operator changes them while processes run. */
export interface KeysOfOperator {
  held: HeldKeys;
}

export function newKeysOfOperator(): KeysOfOperator {
  return { held: { primary: newIndexKey(), retired: [] } };
}

export function addSecondary(keys: KeysOfOperator): IndexKey {
  const secondary = newIndexKey();
  keys.held = { ...keys.held, secondary };
  return secondary;
}

/** Processes that do as the database says as soon as it says so, for a rotation that waits for them in each of its steps. */
export const ATTENTIVE = { intervalMs: 100 };

export async function startProcess(
  databaseUrl: string,
  keys: KeysOfOperator,
  attention: Partial<typeof ATTENTIVE> = {},
): Promise<Process> {
  const database = openDatabase({
    url: databaseUrl,
    poolSize: 8,
    preparedStatements: true,
    onConnectionError: () => undefined,
  });
  const provider = { load: async () => keys.held };
  const followed = await followKeys({ database, provider, log: { warn: () => undefined }, ...attention });
  return {
    database,
    followed,
    store: patientStore(database, followed.ring),
    rotations: keyRotations({ database, keys: followed.ring, rotation: { provider, followed } }),
    async stop() {
      await followed.stop();
      await database.$disconnect();
    },
  };
}

/** A database of their own with two processes that serve, and the keys of their operator. */
interface TwoProcesses {
  readonly database: TestDatabase;
  readonly keys: KeysOfOperator;
  readonly one: Process;
  readonly other: Process;
}

export async function startTwo(attention?: typeof ATTENTIVE): Promise<TwoProcesses> {
  const database = await createTestDatabase();
  const keys = newKeysOfOperator();
  const one = await startProcess(database.url, keys, attention);
  const other = await startProcess(database.url, keys, attention);
  return { database, keys, one, other };
}

/** The same, but everything that the other one sends goes a way that can be held up. */
export async function startTwoOnWay(): Promise<TwoProcesses & { readonly way: WayToDatabase }> {
  const database = await createTestDatabase();
  const way = await WayToDatabase.to(database.url);
  const keys = newKeysOfOperator();
  const one = await startProcess(database.url, keys, ATTENTIVE);
  const other = await startProcess(way.url, keys, ATTENTIVE);
  return { database, keys, one, other, way };
}

export async function stopTwo({ database, one, other }: Omit<TwoProcesses, "keys">): Promise<void> {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
}

/** A run of a job, with what it said. */
export interface ObservedRun extends JobRun {
  readonly progress: JobProgress[];
  /** The meanings of each problem. */
  readonly problems: string[];
  /** Whom each problem names. */
  readonly named: string[];
  abort(): void;
}

export function newRun(
  checkpoint?: string,
  onReport: (run: ObservedRun) => void = () => undefined,
): ObservedRun {
  const controller = new AbortController();
  const run: ObservedRun = {
    signal: controller.signal,
    checkpoint,
    progress: [],
    problems: [],
    named: [],
    async report(progress) {
      run.progress.push(progress);
      onReport(run);
    },
    async problem(error) {
      run.problems.push(error.message);
      run.named.push(expressionsOf(error).join(" "));
    },
    abort: () => controller.abort(new Error("The job was cancelled.")),
  };
  return run;
}

/** The elements that an error names. */
export function expressionsOf({ issues }: MpiError): string[] {
  return issues.flatMap((issue) => ("expression" in issue ? (issue.expression ?? []) : []));
}

export function identifierOf(patient: Patient): { value: string } {
  return { value: patient.identifier[0]?.value ?? "" };
}
