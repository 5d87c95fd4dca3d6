/** An answer to a refused request, in the same shape however it came. */
export interface Answer {
  /** HTTP or gRPC. */
  readonly status: number;
  readonly issues: readonly ShownIssue[];
}

export interface ShownIssue {
  readonly system: string;
  readonly code: string;
  readonly severity: string;
  readonly issueType: string;
  readonly expressions: readonly string[];
  readonly text: string;
  readonly diagnostics: string;
}
