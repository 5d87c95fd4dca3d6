import { type Issue, IssueSeverity } from "#proto/patientindex/v1/error_details_pb.ts";
import { type Language, omittedIssuesText } from "../../src/errors/index.ts";
import { type FhirJson, representable } from "../fhir/index.ts";

const severities: Readonly<Record<IssueSeverity, string>> = {
  [IssueSeverity.UNSPECIFIED]: "error",
  [IssueSeverity.FATAL]: "fatal",
  [IssueSeverity.ERROR]: "error",
  [IssueSeverity.WARNING]: "warning",
  [IssueSeverity.INFORMATION]: "information",
};

const doneTexts: Readonly<Record<Language, string>> = {
  et: "Tehtud: ressurss on salvestatud.",
  en: "Done: the resource is stored.",
};

const soundTexts: Readonly<Record<Language, string>> = {
  et: "Vigu ei leitud.",
  en: "Nothing was found to be wrong.",
};

/** OperationOutcome of these issues, one to one and in their order. */
export function operationOutcome(issues: readonly Issue[]): FhirJson {
  return { resourceType: "OperationOutcome", issue: issues.map(issueJson) };
}

/** The same, with a last issue that says how many were left out. */
export function operationOutcomeOf(issues: readonly Issue[], omitted: number, language: Language): FhirJson {
  const outcome = operationOutcome(issues);
  if (omitted === 0) return outcome;
  return { ...outcome, issue: [...issues.map(issueJson), information(omittedIssuesText(omitted, language))] };
}

/** The answer to a write whose client asked for an OperationOutcome instead of the resource. */
export function doneOutcome(language: Language): FhirJson {
  return { resourceType: "OperationOutcome", issue: [information(doneTexts[language])] };
}

/** The answer to a validation that found nothing. */
export function soundOutcome(language: Language): FhirJson {
  return { resourceType: "OperationOutcome", issue: [information(soundTexts[language])] };
}

function information(text: string): FhirJson {
  return { severity: "information", code: "informational", details: { text } };
}

/** Texts and expressions repeat what a caller wrote, whatever characters that was of. */
function issueJson({ severity, issueType, system, code, text, diagnostics, expressions }: Issue): FhirJson {
  return {
    severity: severities[severity] ?? "error",
    code: issueType,
    details: { coding: [{ system, code }], text: representable(text) },
    ...(diagnostics !== "" && { diagnostics: representable(diagnostics) }),
    ...(expressions.length > 0 && { expression: expressions.map(representable) }),
  };
}
