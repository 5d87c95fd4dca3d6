import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema, type Issue, IssueSeverity } from "#proto/patientindex/v1/error_details_pb.ts";
import type { RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { callerHeaders } from "../callers.ts";
import type { Answer, ShownIssue } from "./answer.ts";
import type { GrpcRequest } from "./scenario.ts";

export interface GrpcAnswer extends Answer {
  /** The meaning, by ErrorInfo. */
  readonly reason: string;
  readonly issues: readonly (ShownIssue & { readonly parameters: Readonly<Record<string, string>> })[];
}

/** Calls a core; throws when it does not refuse the call in our own words. */
export async function askGrpc(
  { send, metadata, as }: GrpcRequest,
  transport: RemoteTransport,
  target: string,
  reader: Readonly<Record<string, string>>,
): Promise<GrpcAnswer> {
  const caller = as === "nobody" ? {} : await callerHeaders(target, as);
  const refusal = await send(transport, { ...reader, ...caller, ...metadata }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refusal instanceof ConnectError)) throw new Error("Not refused.", { cause: refusal });
  const [details] = refusal.findDetails(ErrorDetailsSchema);
  const [info] = refusal.findDetails(ErrorInfoSchema);
  return {
    status: refusal.code,
    reason: info?.reason ?? "",
    issues: details?.issues.map(shown) ?? [],
  };
}

const severities: Readonly<Record<IssueSeverity, string>> = {
  [IssueSeverity.UNSPECIFIED]: "unspecified",
  [IssueSeverity.FATAL]: "fatal",
  [IssueSeverity.ERROR]: "error",
  [IssueSeverity.WARNING]: "warning",
  [IssueSeverity.INFORMATION]: "information",
};

function shown({ system, code, severity, issueType, expressions, text, diagnostics, parameters }: Issue) {
  return {
    system,
    code,
    severity: severities[severity] ?? "unknown",
    issueType,
    expressions,
    text,
    diagnostics,
    parameters,
  };
}
