import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { Metadata, type StatusObject, type status } from "@grpc/grpc-js";
import { type Status, StatusSchema } from "#proto/google/rpc/status_pb.ts";
import { metadataFromHeaders } from "./metadata.ts";

// Percent-encoding may triple it, and it shares 8 KiB of trailers with the details.
const longestMessage = 200;

/**
 * The status and trailers that end a failed call.
 * Only a ConnectError was meant for the caller: of anything else nothing is shown but INTERNAL.
 */
export function grpcStatusOf(error: unknown, trailer?: Metadata): StatusObject {
  if (!(error instanceof ConnectError)) {
    return {
      code: Code.Internal as number as status,
      details: "internal error",
      metadata: trailer ?? new Metadata(),
    };
  }
  const metadata = metadataFromHeaders(error.metadata);
  if (trailer) metadata.merge(trailer);
  if (error.details.length > 0) {
    metadata.set("grpc-status-details-bin", Buffer.from(toBinary(StatusSchema, statusMessage(error))));
  }
  return { code: error.code as number as status, details: shortMessage(error), metadata };
}

/** The same where a status is part of a message. */
export function statusMessageOf(error: unknown): Status {
  return error instanceof ConnectError
    ? statusMessage(error)
    : create(StatusSchema, { code: Code.Internal, message: "internal error" });
}

function statusMessage(error: ConnectError): Status {
  return create(StatusSchema, {
    code: error.code,
    message: shortMessage(error),
    details: error.details.map((detail) =>
      "desc" in detail
        ? anyPack(detail.desc, create(detail.desc, detail.value))
        : { typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value },
    ),
  });
}

// A lone surrogate would make grpc-js throw while it encodes the trailers.
function shortMessage(error: ConnectError): string {
  return error.rawMessage.slice(0, longestMessage).toWellFormed();
}
