import { fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type ServiceError, status } from "@grpc/grpc-js";
import { type Status, StatusSchema } from "#proto/google/rpc/status_pb.ts";
import { headersFromMetadata } from "./metadata.ts";

const detailsKey = "grpc-status-details-bin";

/**
 * The ConnectError of a call that a remote core refused or did not answer, details of the status included.
 * What grpc-js says of connections and addresses stays in `cause`.
 */
export function connectErrorOf(error: ServiceError): ConnectError {
  const [details] = error.metadata.get(detailsKey);
  const status = Buffer.isBuffer(details) ? readStatus(details) : undefined;
  if (!status) return errorWithoutDetails(error);
  return fromWire(error, error.code as number as Code, error.details, incomingDetails(status));
}

/** Whoever answers may be anybody: bytes that are no status are none, and end no process. */
function readStatus(bytes: Buffer): Status | undefined {
  try {
    return fromBinary(StatusSchema, bytes);
  } catch {
    return undefined;
  }
}

/** The ConnectError of a call of a batch that the core refused: the same as if it had come alone. */
export function connectErrorOfStatus(status: Status, metadata?: Headers): ConnectError {
  return asFromWire(new ConnectError(status.message, status.code as Code, metadata), incomingDetails(status));
}

const unreachable = { code: Code.Unavailable, message: "the core of the index cannot be reached" };

// What grpc-js itself reports, in words that hold no address.
const reportedByChannel = new Map([
  [status.UNAVAILABLE, unreachable],
  // Our own aborts never come here: a bare CANCELLED is a core that was cut off while it worked.
  [status.CANCELLED, unreachable],
  [status.DEADLINE_EXCEEDED, { code: Code.DeadlineExceeded, message: "the operation timed out" }],
]);

function errorWithoutDetails(error: ServiceError): ConnectError {
  // An answer that is compressed in a way that grpc-js cannot read fails without code and words.
  const { code = status.INTERNAL, details = "" }: Partial<ServiceError> = error;
  const said = reportedByChannel.get(code) ?? { code: code as number as Code, message: details };
  return fromWire(error, said.code, said.message, []);
}

function fromWire(
  cause: ServiceError,
  code: Code,
  message: string,
  details: ConnectError["details"],
): ConnectError {
  const metadata = headersFromMetadata(cause.metadata);
  metadata.delete(detailsKey);
  return asFromWire(new ConnectError(message, code, metadata, undefined, cause), details);
}

function asFromWire(error: ConnectError, details: ConnectError["details"]): ConnectError {
  error.details = details;
  error.isWireError = true;
  return error;
}

function incomingDetails({ details }: Status): ConnectError["details"] {
  return details.map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
}
