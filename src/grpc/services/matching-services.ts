import type { ServiceImplSpec } from "@connectrpc/connect";
import { DuplicateReviewService } from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import type { ErrorSystems } from "../../errors/index.ts";
import type { Linkage } from "../../linkage/index.ts";
import type { DuplicateStore, MatchStore } from "../../matching/index.ts";
import { type InterceptOptions, intercept } from "../interceptors/index.ts";
import { duplicateReviewService } from "./duplicate-review-service.ts";
import { matchingService } from "./matching-service.ts";

/** The services of matching: finding people, and reviewing what a scan found. */
export function matchingServices(
  linkage: Linkage,
  store: MatchStore,
  duplicates: DuplicateStore,
  systems: ErrorSystems,
  chain: InterceptOptions,
): ServiceImplSpec[] {
  return [
    intercept(MatchingService, matchingService({ patients: linkage.patients, store }, systems), chain),
    intercept(DuplicateReviewService, duplicateReviewService({ linkage, duplicates }), chain),
  ];
}
