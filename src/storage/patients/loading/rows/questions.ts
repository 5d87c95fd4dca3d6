import type { MessagePort } from "node:worker_threads";
import { type ErrorIssues, MpiError } from "../../../../errors/index.ts";
import type { IndexKeys } from "../../../../identifier-index/index.ts";
import type { Statement } from "../../../connection/named-statements.ts";
import type { Added, GivenIdentifiers, WrittenWith } from "./patient-rows.ts";

/** What is said first: patients, with a port of their own for what is asked of them. */
export interface Opening {
  readonly port: MessagePort;
  readonly keys: IndexKeys;
  /** A LoadPatientsRequest. */
  readonly patients: Uint8Array;
}

export type Question =
  | { readonly kind: "identifiers" }
  | { readonly kind: "names" }
  | { readonly kind: "written"; readonly parts: readonly Added[][]; readonly writtenWith: WrittenWith };

/** What is written comes in several: the statement of the identifiers of all, then those of each part. */
export type Given = GivenIdentifiers | readonly string[] | readonly Statement[];

export type Answer = { readonly given: Given } | { readonly failure: SentFailure };

/** An error on its way from one thread to another: of one of ours no more than a plain Error would arrive. */
interface SentFailure {
  /** Of an error of ours. */
  readonly issues: ErrorIssues | undefined;
  readonly cause: unknown;
}

export function sentFailure(error: unknown): SentFailure {
  return error instanceof MpiError
    ? { issues: error.issues, cause: error.cause }
    : { issues: undefined, cause: error };
}

export function receivedFailure({ issues, cause }: SentFailure): unknown {
  return issues ? MpiError.of(issues, { cause }) : cause;
}
