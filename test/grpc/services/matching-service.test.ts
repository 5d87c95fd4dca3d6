import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  DuplicateReviewService,
  DuplicateState,
} from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { JobService, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import { MatchGrade, MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import type { RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { transportAs } from "../../caller-transport.ts";
import { doctor } from "../../callers.ts";
import { refusalOf } from "../../clients.ts";
import { administrator } from "../../jobs/administrator.ts";
import { PID, verifiedPatient } from "../../patients/examples.ts";
import { type RunningService, startService } from "../../service.ts";

let service: RunningService;
let transports: RemoteTransport[];
let matching: Client<typeof MatchingService>;
let review: Client<typeof DuplicateReviewService>;
/** Two records of one person. */
let pair: [string, string];

beforeAll(async () => {
  service = await startService();
  const asDoctor = transportAs(service.grpcPort);
  const asSteward = transportAs(service.grpcPort, { ...doctor, role: "steward" });
  const asAdministrator = transportAs(service.grpcPort, administrator);
  transports = [asDoctor, asSteward, asAdministrator];
  matching = createClient(MatchingService, asDoctor);
  review = createClient(DuplicateReviewService, asSteward);
  const patients = createClient(PatientService, asDoctor);
  const ids: string[] = [];
  for (const system of ["fin/ni", "fin/ppn"]) {
    const identifier = [{ system: `${PID}/${system}`, value: `M-${system}` }];
    const { patient } = await patients.createPatient({ patient: verifiedPatient({ identifier }) });
    ids.push(patient?.id ?? "");
  }
  pair = [ids[0] ?? "", ids[1] ?? ""];
  await scan(createClient(JobService, asAdministrator));
});

afterAll(async () => {
  for (const transport of transports) transport.close();
  await service.stop();
});

async function scan(jobs: Client<typeof JobService>): Promise<void> {
  const { job } = await jobs.startJob({ type: "scan-duplicates" });
  for (;;) {
    const { job: current } = await jobs.getJob({ id: job?.id ?? "" });
    if (current?.state === JobState.SUCCEEDED) return;
    if (current?.state === JobState.FAILED) throw new Error("The scan failed.");
    await sleep(50);
  }
}

describe("MatchingService", () => {
  it("matches, with score and grade", async () => {
    const { matches } = await matching.matchPatients({ resource: verifiedPatient({ identifier: [] }) });
    expect(matches.map(({ patient }) => patient?.id)).toEqual(pair);
    expect(matches[0]).toMatchObject({ grade: MatchGrade.CERTAIN });
    expect(matches[0]?.score).toBeGreaterThan(0.9999);
  });

  it("finds foreign patients, and makes numbers", async () => {
    const parameters = [
      { name: "identifier-country", value: "fin" },
      { name: "family", value: "Wirtanen" },
    ];
    const { patients } = await matching.findForeignPatients({ parameters });
    expect(patients.map(({ id }) => id)).toEqual(pair);
    const { identifier } = await matching.generateRecordNumber({});
    expect(identifier?.system).toBe(`${PID}/est/mr`);
  });
});

describe("DuplicateReviewService", () => {
  it("refuses a state that there is not", async () => {
    const refused = await refusalOf(review.listPossibleDuplicates({ state: 99 as DuplicateState }));
    expect(refused).toEqual({ status: "InvalidArgument", issues: ["MPI-096 state"] });
  });

  it("shows what the job found, and links a confirmed pair", async () => {
    const [source, target] = pair;
    const { duplicates, totalSize } = await review.listPossibleDuplicates({});
    expect(totalSize).toBe(1n);
    expect(duplicates).toMatchObject([
      { patientId: source, otherId: target, grade: MatchGrade.CERTAIN, state: DuplicateState.OPEN },
    ]);
    const { duplicate } = await review.dismissPossibleDuplicate({ patientId: target, otherId: source });
    expect(duplicate?.state).toBe(DuplicateState.DISMISSED);
    expect(duplicate?.reviewedAt).toBeDefined();
    const confirmed = await review.confirmPossibleDuplicate({ sourceId: source, targetId: target });
    expect(confirmed.target).toMatchObject({ id: target, link: [{ type: "replaces" }] });
    expect((await review.listPossibleDuplicates({ state: DuplicateState.CONFIRMED })).totalSize).toBe(1n);
    const { matches } = await matching.matchPatients({ resource: verifiedPatient({ identifier: [] }) });
    expect(matches.map(({ patient }) => patient?.id)).toEqual([target]);
  });
});
