import { createRegistry, fromBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";

/** The messages in the details of a google.rpc.Status, wherever an answer holds one. */
export const detailTypes = createRegistry(ErrorDetailsSchema, ErrorInfoSchema);

type Detail = ConnectError["details"][number];

/** What a core elsewhere refused with its details opened: Connect shows those as JSON beside their bytes. */
export function withOpenedDetails(error: unknown): unknown {
  if (error instanceof ConnectError) error.details = error.details.map(opened);
  return error;
}

function opened(detail: Detail): Detail {
  if ("desc" in detail) return detail;
  const desc = detailTypes.getMessage(detail.type);
  return desc ? { desc, value: fromBinary(desc, detail.value) } : detail;
}
