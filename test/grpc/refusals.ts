import { ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import { fault, MpiError } from "../../src/errors/index.ts";

/** The ConnectError that the call ends with. */
export async function rejectionOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => expect.fail("the call was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConnectError)) throw error;
  return error;
}

/** A refusal with more issues than the trailers of a response hold. */
export function fourHundredIssues(): MpiError {
  const one = (at: number) =>
    fault(
      "TELECOM_SYSTEM_UNKNOWN",
      { system: `süsteem ${at}`, allowed: "phone, email" },
      { expression: [`Patient.telecom[${at}].system`] },
    );
  return MpiError.of([one(0), ...Array.from({ length: 399 }, (_, at) => one(at + 1))]);
}
