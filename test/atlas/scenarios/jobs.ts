import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import { GrpcStatus } from "../../../src/errors/index.ts";
import { administrator } from "../../jobs/administrator.ts";
import { calls } from "../grpc-calls.ts";
import type { Scenario } from "../scenario.ts";

const { startJob, getJob, listJobs, cancelJob } = JobService.method;

/** Background jobs, which are asked for over gRPC only. */
export const jobScenarios: readonly Scenario[] = [
  {
    meaning: "JOB_TYPE_UNKNOWN",
    only: "grpc",
    code: "MPI-100",
    issueType: "code-invalid",
    prepare: () => ({ grpc: calls(startJob, { type: "defragment" }, { as: administrator }) }),
  },
  {
    meaning: "JOB_TYPE_UNKNOWN",
    only: "grpc",
    code: "MPI-100",
    issueType: "code-invalid",
    prepare: () => ({ grpc: calls(listJobs, { type: "Check-Index" }, { as: administrator }) }),
  },
  {
    meaning: "SECONDARY_KEY_REQUIRED",
    only: "grpc",
    code: "MPI-005",
    issueType: "business-rule",
    prepare: () => ({ grpc: calls(startJob, { type: "reencrypt-index" }, { as: administrator }) }),
  },
  {
    meaning: "JOB_NOT_FOUND",
    only: "grpc",
    code: "MPI-400",
    issueType: "not-found",
    status: { grpc: GrpcStatus.NOT_FOUND },
    prepare: () => ({ grpc: calls(getJob, { id: "check-index-777" }, { as: administrator }) }),
  },
  {
    meaning: "JOB_NOT_FOUND",
    only: "grpc",
    code: "MPI-400",
    issueType: "not-found",
    status: { grpc: GrpcStatus.NOT_FOUND },
    prepare: () => ({ grpc: calls(cancelJob, { id: "purge-cache-0" }, { as: administrator }) }),
  },
  {
    meaning: "JOB_STANDING",
    only: "grpc",
    code: "MPI-400",
    issueType: "business-rule",
    status: { grpc: GrpcStatus.FAILED_PRECONDITION },
    prepare: () => ({ grpc: calls(cancelJob, { id: "deliver-notifications" }, { as: administrator }) }),
  },
];
