import type { ErrorIssues, GrpcStatus } from "../errors/index.ts";

/** A register, or its adapter, did not answer: what the adapter says of it, without the index's own issue. */
export class RegisterFailure extends Error {
  override readonly name = "RegisterFailure";
  /** The adapter's issue, and the register's behind it. */
  readonly issues: ErrorIssues;
  readonly status: GrpcStatus;

  constructor(issues: ErrorIssues, status: GrpcStatus, cause: unknown) {
    super("A register did not answer.", { cause });
    this.issues = issues;
    this.status = status;
  }
}
