import type { Job } from "../load/job.ts";
import type { BenchDatabase } from "../servers/database.ts";
import type { RunningService } from "../servers/service.ts";
import { fhirJobOf, grpcJobOf } from "../workload/jobs.ts";
import { loadingJobs, TOGETHER } from "../workload/loading-jobs.ts";

/** What most requests are, or what most patients come by. */
export interface HotPath {
  /** Requests or messages on their way at a time. */
  readonly inFlight: number;
  /** Patients in each. */
  readonly patients: number;
  /** What is sent; `people` is how many there are in the database. */
  readonly job: (database: BenchDatabase, service: RunningService, people: number) => Promise<Job>;
}

const overFhir = (scenario: Parameters<typeof fhirJobOf>[0]): HotPath => ({
  ...{ inFlight: 32, patients: 1 },
  job: (database, service, people) => fhirJobOf(scenario, database, service, people),
});

const loading = (way: "FHIR batch" | "gRPC stream"): HotPath => ({
  ...{ inFlight: 2, patients: TOGETHER },
  job: async (_database, service) => loadingJobs(service)[way],
});

export const hotPaths: Readonly<Record<string, HotPath>> = {
  read: overFhir("read"),
  search: overFhir("search"),
  create: overFhir("create"),
  update: overFhir("update"),
  match: overFhir("match"),
  "gRPC read": {
    ...overFhir("read"),
    job: (database, service, people) => grpcJobOf("read", database, service, people),
  },
  "FHIR batch": loading("FHIR batch"),
  "gRPC stream": loading("gRPC stream"),
};
