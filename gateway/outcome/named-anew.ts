import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { atElements, type Rename, renamed } from "../../src/errors/index.ts";

/** The same failure, of the core or of the gateway itself, with what is at fault named in other words. */
export function namedAnew(error: unknown, rename: Rename): unknown {
  return error instanceof ConnectError
    ? coreErrorAt(error, (expressions) => renamed(expressions, rename))
    : atElements(error, rename);
}

/** An error of the core with other expressions in its issues; an error without details stays as it is. */
export function coreErrorAt(
  error: ConnectError,
  expressionsOf: (expressions: readonly string[]) => string[],
): ConnectError {
  const [details] = error.findDetails(ErrorDetailsSchema);
  if (details === undefined) return error;
  const issues = details.issues.map((issue) => ({ ...issue, expressions: expressionsOf(issue.expressions) }));
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
