import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseXml } from "../../gateway/fhir/index.ts";
import { schemaFaults } from "./fhir/xml/schema.ts";

interface Issue {
  readonly severity?: unknown;
  readonly code?: unknown;
  readonly details?: { readonly text?: unknown; readonly coding?: readonly Coding[] };
  readonly diagnostics?: unknown;
  readonly expression?: readonly unknown[];
}

interface Coding {
  readonly system?: unknown;
  readonly code?: unknown;
}

interface Concept {
  readonly code: string;
  readonly concept?: readonly Concept[];
}

const severities = codesOf("issue-severity");
const issueTypes = codesOf("issue-type");
const ELEMENTS = new Set(["severity", "code", "details", "diagnostics", "expression"]);

/** What keeps a body, in JSON or XML, from being an OperationOutcome of R5 that says something; empty for one that is. */
export function outcomeFaults(text: string): string[] {
  const isXml = text.startsWith("<?xml");
  const { resourceType, issue } = (isXml ? parseXml(text).value : JSON.parse(text)) as Record<
    string,
    unknown
  >;
  if (resourceType !== "OperationOutcome") return [`a ${resourceType}`];
  if (!Array.isArray(issue) || issue.length === 0) return ["no issue"];
  return [...(isXml ? schemaFaults(text) : []), ...(issue as Issue[]).flatMap(issueFaults)];
}

function issueFaults({ severity, code, details, expression = [], ...rest }: Issue): string[] {
  const codings = details?.coding ?? [];
  return [
    ...(severities.has(severity) ? [] : [`severity ${severity}`]),
    ...(issueTypes.has(code) ? [] : [`code ${code}`]),
    ...(typeof details?.text === "string" && details.text !== "" ? [] : ["no text"]),
    ...(codings.every((coding) => typeof coding.system === "string" && typeof coding.code === "string")
      ? []
      : ["half a coding"]),
    ...(expression.every((path) => typeof path === "string" && path !== "") ? [] : ["an empty expression"]),
    ...Object.keys(rest).flatMap((name) => (ELEMENTS.has(name) ? [] : [`element ${name}`])),
  ];
}

function codesOf(codeSystem: string): ReadonlySet<unknown> {
  const file = createRequire(import.meta.url).resolve(`hl7.fhir.r5.core/CodeSystem-${codeSystem}.json`);
  const { concept } = JSON.parse(readFileSync(file, "utf8")) as { concept: readonly Concept[] };
  const all = (concepts: readonly Concept[]): string[] =>
    concepts.flatMap((one) => [one.code, ...all(one.concept ?? [])]);
  return new Set(all(concept));
}
