import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { grpcStatusName } from "../../../errors/index.ts";

/** How a call has ended: the name of its status, and our reason when it was refused. */
export interface CallStatus {
  readonly status: string;
  readonly reason?: string;
}

const OK: CallStatus = { status: "OK" };

export function statusOf(failure: unknown): CallStatus {
  if (failure === undefined) return OK;
  const error = ConnectError.from(failure);
  const [info] = error.findDetails(ErrorInfoSchema);
  return { status: grpcStatusName(error.code), ...(info && { reason: info.reason }) };
}
