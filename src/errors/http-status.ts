import { isMeaning, traitsOf } from "./catalogue/catalogue.ts";
import { GrpcStatus } from "./grpc-status.ts";

/** The HTTP status of each gRPC status. */
export const httpStatusByGrpcStatus: Readonly<Record<GrpcStatus, number>> = {
  [GrpcStatus.OK]: 200,
  [GrpcStatus.CANCELLED]: 499,
  [GrpcStatus.UNKNOWN]: 502,
  [GrpcStatus.INVALID_ARGUMENT]: 400,
  [GrpcStatus.DEADLINE_EXCEEDED]: 504,
  [GrpcStatus.NOT_FOUND]: 404,
  [GrpcStatus.ALREADY_EXISTS]: 409,
  [GrpcStatus.PERMISSION_DENIED]: 403,
  [GrpcStatus.RESOURCE_EXHAUSTED]: 429,
  [GrpcStatus.FAILED_PRECONDITION]: 422,
  [GrpcStatus.ABORTED]: 409,
  [GrpcStatus.OUT_OF_RANGE]: 400,
  [GrpcStatus.UNIMPLEMENTED]: 501,
  [GrpcStatus.INTERNAL]: 500,
  [GrpcStatus.UNAVAILABLE]: 503,
  [GrpcStatus.DATA_LOSS]: 500,
  [GrpcStatus.UNAUTHENTICATED]: 401,
};

const PRECONDITION_FAILED = 412;

/** What the gateway knows of a failed call. */
export interface FailedCall {
  /** A number from the wire: one that gRPC does not know counts as UNKNOWN. */
  readonly status: number;
  /** The reason of the ErrorInfo that came with it, if one came. */
  readonly reason?: string;
  /** The request carried If-Match or the like. */
  readonly isConditional?: boolean;
}

/**
 * The HTTP status of a failed call: that of the meaning, where HTTP tells apart what gRPC does not (405, 406, 410,
 * 413, 415); 412 for ABORTED of a conditional request; else that of the gRPC status.
 */
export function httpStatusOf({ status, reason, isConditional = false }: FailedCall): number {
  const ofMeaning = reason !== undefined && isMeaning(reason) ? traitsOf(reason).http : undefined;
  if (ofMeaning !== undefined) return ofMeaning;
  if (status === GrpcStatus.ABORTED && isConditional) return PRECONDITION_FAILED;
  return httpStatusByGrpcStatus[status as GrpcStatus] ?? httpStatusByGrpcStatus[GrpcStatus.UNKNOWN];
}
