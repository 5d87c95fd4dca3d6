import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { atElements, type Rename, renamed } from "../../src/errors/index.ts";

/** The same failure, of the core or of the gateway itself, with what is at fault named in other words. */
export function namedAnew(error: unknown, rename: Rename): unknown {
  if (!(error instanceof ConnectError)) return atElements(error, rename);
  const [details] = error.findDetails(ErrorDetailsSchema);
  if (details === undefined) return error;
  const issues = details.issues.map((issue) => ({
    ...issue,
    expressions: renamed(issue.expressions, rename),
  }));
  return new ConnectError(
    error.rawMessage,
    error.code,
    error.metadata,
    [
      { desc: ErrorDetailsSchema, value: { ...details, issues } },
      ...error.findDetails(ErrorInfoSchema).map((value) => ({ desc: ErrorInfoSchema, value })),
    ],
    error,
  );
}
