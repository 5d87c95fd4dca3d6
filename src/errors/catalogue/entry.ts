import type { ErrorSystem } from "../error-systems.ts";
import type { GrpcStatus } from "../grpc-status.ts";

export const languages = ["et", "en"] as const;
export type Language = (typeof languages)[number];

/** The published versions of the contract, the current one first. */
export const catalogueVersions = ["1.5.0", "1.1.1"] as const;
export type CatalogueVersion = (typeof catalogueVersions)[number];

/** One text in every language, with `${placeholders}`. */
export type Texts = Readonly<Record<Language, string>>;

/** How a version words a meaning. */
export interface Wording {
  readonly code: string;
  readonly texts: Texts;
}

/** The meaning by which a version reports what it has no code for. */
export interface Substitute {
  readonly nearest: string;
  /** The nearest when errors of a register follow in the chain, if it is another one then. */
  readonly nearestInChain?: string;
}

export type InVersion = Wording | Substitute;

/** FHIR IssueType, those that the index uses. */
export type IssueType =
  | "business-rule"
  | "code-invalid"
  | "conflict"
  | "deleted"
  | "duplicate"
  | "exception"
  | "forbidden"
  | "incomplete"
  | "informational"
  | "invalid"
  | "invariant"
  | "multiple-matches"
  | "not-found"
  | "not-supported"
  | "required"
  | "security"
  | "structure"
  | "throttled"
  | "timeout"
  | "too-costly"
  | "too-long"
  | "transient"
  | "value";

/** FHIR IssueSeverity. */
export type Severity = "fatal" | "error" | "warning" | "information";

/** What holds for a meaning however a version words it. */
export interface Traits {
  readonly status: GrpcStatus;
  /** Statuses that a fault may have instead, as it happened: a register can be silent, late or refuse. */
  readonly otherStatuses?: readonly GrpcStatus[];
  readonly issueType: IssueType;
  /** `error` when not said. */
  readonly severity?: Severity;
  /** The HTTP status, where the gRPC status has no equal for it. */
  readonly http?: number;
}

/** A meaning that has a code of its own in at least one version. */
export interface CodedMeaning extends Traits {
  readonly system: ErrorSystem;
  readonly versions: Readonly<Record<CatalogueVersion, InVersion>>;
  /** The text is followed by the register's own code and message, parameter `original`. */
  readonly original?: true;
}

/**
 * A situation that is reported under the code and text of another meaning. Its detail, where it has one,
 * is the `${message}` of that text, or else stands in the diagnostics.
 */
export interface Variant extends Traits {
  readonly reportedAs: string;
  readonly detail?: Texts;
}

/** The same code and texts in every version. */
export function inEveryVersion<const Code extends string, const T extends Texts>(code: Code, texts: T) {
  return { "1.5.0": { code, texts }, "1.1.1": { code, texts } };
}

/** One code that each version words in its own way. */
export function wordedByVersion<const Code extends string, const New extends Texts, const Old extends Texts>(
  code: Code,
  current: New,
  old: Old,
) {
  return { "1.5.0": { code, texts: current }, "1.1.1": { code, texts: old } };
}

/** A code of 1.5.0 that 1.1.1 lacks. */
export function since150<const Code extends string, const T extends Texts, const S extends Substitute>(
  code: Code,
  texts: T,
  in111: S,
) {
  return { "1.5.0": { code, texts }, "1.1.1": in111 };
}

/** A code of 1.1.1 that 1.5.0 has given up. */
export function until111<const Code extends string, const T extends Texts, const S extends Substitute>(
  code: Code,
  texts: T,
  in150: S,
) {
  return { "1.5.0": in150, "1.1.1": { code, texts } };
}
