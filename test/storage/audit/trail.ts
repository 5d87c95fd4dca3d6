import type { AuditEntry, AuditReader, AuditTrail, ChainHead } from "../../../src/audit/index.ts";
import { Accesses } from "../../../src/call/accesses.ts";
import type { Caller } from "../../../src/call/caller.ts";
import { type CurrentCall, underCall } from "../../../src/call/current-call.ts";
import { auditReader, openAuditTrail, verifyChains } from "../../../src/storage/index.ts";
import { onServer } from "../../database.ts";
import { type LinkageUnderTest, openLinkage } from "../linkage/linked-patients.ts";

export const DOCTOR: Caller = {
  personalCode: "38001085718",
  name: "Mari Maasikas",
  author: "38001085718",
  organization: "90009016",
  role: "doctor",
  application: "wards",
  scopes: [],
  represented: undefined,
  issue: "käsitlus 17",
};

/** Stores whose writes leave entries, with the trail that they go to. */
export interface AuditedStores extends LinkageUnderTest {
  readonly trail: AuditTrail;
  readonly reader: AuditReader;
  /** What `audit:verify` would say, as `stream n fault`. */
  problems(noted?: ReadonlyMap<bigint, ChainHead>): Promise<string[]>;
  /** The heads of all streams. */
  heads(): Promise<Map<bigint, ChainHead>>;
  /** A statement of somebody who may change rights. */
  tamper(sql: string): Promise<void>;
}

export async function openAudited(): Promise<AuditedStores> {
  const opened = await openLinkage();
  const { database, ring, databaseUrl } = opened;
  const trail = await openAuditTrail(database, ring, new Date(), (cause) => {
    throw cause;
  });
  return {
    ...opened,
    trail,
    reader: auditReader(database, ring),
    async heads() {
      const heads = new Map<bigint, ChainHead>();
      const head = (one: ChainHead) => void heads.set(one.streamId, one);
      await verifyChains(database, {
        head,
        problem: () => undefined,
        keyProblem: () => undefined,
        progress: () => undefined,
      });
      return heads;
    },
    async problems(noted) {
      const found: string[] = [];
      await verifyChains(database, {
        ...(noted && { noted }),
        problem: ({ streamId, n, fault }) => void found.push(`${streamId} ${n} ${fault}`),
        keyProblem: ({ keyId, fault }) => void found.push(`${keyId} ${fault}`),
        progress: () => undefined,
      });
      return found;
    },
    tamper: (sql) =>
      onServer(databaseUrl, async (client) => {
        await client.query("GRANT ALL ON audit_event, audit_stream, audit_key TO CURRENT_USER");
        await client.query(sql);
      }),
  };
}

/** What `audit:verify` would say of some of the streams. */
export async function problemsIn(
  opened: AuditedStores,
  streams: readonly bigint[],
  noted?: ReadonlyMap<bigint, ChainHead>,
): Promise<string[]> {
  const found = await opened.problems(noted);
  return found.filter((line) => streams.some((id) => line.startsWith(`${id} `)));
}

/** Records entries, call after call, in a lane that nobody else writes; answers with its stream. */
export async function recordInOwnLane(
  { database, ring, reader }: AuditedStores,
  calls: readonly (readonly AuditEntry[])[],
): Promise<bigint> {
  const trail = await openAuditTrail(database, ring, new Date(), (cause) => {
    throw cause;
  });
  for (const entries of calls) await trail.record(entries);
  const patients = calls.flat().flatMap(({ patientId }) => patientId ?? []);
  const { entries } = await reader.find({ patients, spans: [], size: 10 });
  const lane = entries.find(({ streamId }) => streamId < 0n);
  if (!lane) throw new Error("Nothing was recorded.");
  return lane.streamId;
}

/** The entries of patients, oldest first. */
export async function entriesOf(reader: AuditReader, ...patients: bigint[]): Promise<AuditEntry[]> {
  const { entries } = await reader.find({ patients, spans: [], size: 1000 });
  return entries.toReversed().map(({ streamId: _stream, n: _n, ...entry }) => entry);
}

/** A call of the doctor, for work that is done on its behalf. */
export function callOf(method: string, requestId: string): CurrentCall {
  const call = { headers: new Headers(), version: "1.5.0", deadline: undefined } as const;
  return { ...call, method, requestId, caller: DOCTOR, accesses: new Accesses() };
}

export function asDoctor<Result>(method: string, work: () => Result): Result {
  return underCall(callOf(method, "request-1"), work);
}

/** An entry of a read. */
export function readOf(patientId: bigint | undefined, rest: Partial<AuditEntry> = {}): AuditEntry {
  return { action: "R", recordedAt: new Date("2026-06-01T12:00:00.000Z"), patientId, ...rest };
}
