/** The status codes of gRPC, as numbers on the wire. */
export const GrpcStatus = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcStatusName = keyof typeof GrpcStatus;
export type GrpcStatus = (typeof GrpcStatus)[GrpcStatusName];

const names = new Map<number, GrpcStatusName>(
  Object.entries(GrpcStatus).map(([name, status]) => [status, name as GrpcStatusName]),
);

/** The name of a status; a number that gRPC does not know is UNKNOWN, as gRPC itself reads it. */
export function grpcStatusName(status: number): GrpcStatusName {
  return names.get(status) ?? "UNKNOWN";
}
