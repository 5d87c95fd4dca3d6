import { create } from "@bufbuild/protobuf";
import {
  type ErrorDetails,
  type Issue,
  IssueSchema,
  IssueSeverity,
} from "#proto/patientindex/v1/error_details_pb.ts";
import type { Severity } from "./catalogue/entry.ts";
import { defaultErrorSystems, type ErrorSystems } from "./error-systems.ts";
import { type ErrorIssue, type Fault, isFault, type MirroredIssue } from "./fault.ts";
import { fillIn, placeholdersIn } from "./placeholders.ts";
import { type Presentation, type Presented, present } from "./presentation.ts";

const severities: Readonly<Record<Severity, IssueSeverity>> = {
  fatal: IssueSeverity.FATAL,
  error: IssueSeverity.ERROR,
  warning: IssueSeverity.WARNING,
  information: IssueSeverity.INFORMATION,
};

/**
 * The issues in the words of a version and language, in their order. Where a version has one code for two
 * links of a chain that follow each other, it is said once.
 */
export function renderIssues(issues: readonly ErrorIssue[], presentation: Presentation): Issue[] {
  const end = endOfChain(issues);
  const rendered = issues.map((issue, at) =>
    isFault(issue)
      ? renderFault(issue, presentation, at < end)
      : { issue: renderMirrored(issue, presentation.systems), substituted: false },
  );
  return rendered.flatMap(({ issue, substituted }, at) => {
    const next = rendered[at + 1]?.issue;
    if (!substituted || next === undefined || !isSameLink(issue, next)) return [issue];
    if (next.diagnostics === "") next.diagnostics = issue.diagnostics;
    return [];
  });
}

/**
 * The place of the last issue of another error system, -1 when there is none: what stands before it is part of a
 * chain of register errors.
 */
export function endOfChain(issues: readonly ErrorIssue[]): number {
  return issues.findLastIndex((issue) => !isFault(issue) || present(issue.meaning, "1.5.0").system !== "MPI");
}

/** The issues of another service's error, to stand behind one's own in a chain: exceptions, whatever it calls them. */
export function receivedIssues(details: ErrorDetails): MirroredIssue[] {
  return details.issues.map(({ system, code, text }) => ({ system, code, text }));
}

function renderFault(fault: Fault, presentation: Presentation, inChain: boolean) {
  const shown = present(fault.meaning, presentation.version, inChain);
  const texts = wordsOf(fault, shown, presentation);
  const issue = create(IssueSchema, {
    system: presentation.systems[shown.system],
    code: shown.wording.code,
    severity: severities[fault.severity ?? shown.traits.severity ?? "error"],
    issueType: shown.traits.issueType,
    expressions: [...(fault.expression ?? [])],
    ...texts,
  });
  return { issue, substituted: shown.own !== undefined };
}

function wordsOf(fault: Fault, shown: Presented, { language }: Presentation) {
  const given: Readonly<Record<string, string>> = fault.parameters;
  const detail = shown.variant?.detail === undefined ? "" : fillIn(shown.variant.detail[language], given);
  const parameters: Record<string, string> = detail === "" ? { ...given } : { ...given, message: detail };
  const own = shown.own ?? shown.wording;
  const holdsDetail = placeholdersIn(own.texts[language]).includes("message");
  const filled = fillIn(shown.wording.texts[language], parameters);
  const text = shown.original ? `${filled} ${parameters["original"] ?? ""}`.trimEnd() : filled;
  const said = shown.own === undefined ? "" : fillIn(own.texts[language], parameters);
  const diagnostics = [said, holdsDetail ? "" : detail]
    .filter((part) => part !== "" && part !== text)
    .join(" ");
  return { text, diagnostics, parameters };
}

function renderMirrored(issue: MirroredIssue, systems: ErrorSystems): Issue {
  return create(IssueSchema, {
    system: isSystemName(issue.system) ? systems[issue.system] : issue.system,
    code: issue.code,
    text: issue.text,
    severity: severities[issue.severity ?? "error"],
    issueType: issue.issueType ?? "exception",
  });
}

function isSystemName(system: string): system is keyof ErrorSystems {
  return Object.hasOwn(defaultErrorSystems, system);
}

function isSameLink(one: Issue, next: Issue): boolean {
  return (
    one.issueType === "exception" &&
    next.issueType === "exception" &&
    one.system === next.system &&
    one.code === next.code
  );
}
