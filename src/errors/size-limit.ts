import { create, toBinary } from "@bufbuild/protobuf";
import { type Issue, IssueSchema } from "#proto/patientindex/v1/error_details_pb.ts";

/** No issue is larger than about 4 kB when encoded, so that the first one always fits. */
const bytesOf = {
  text: 800,
  diagnostics: 600,
  parameter: 150,
  expression: 200,
  name: 150,
  code: 60,
} as const;
const mostExpressions = 5;
const mostParameters = 5;

/** The issues, from the first on, that fit into so many bytes of a message that lists them; at least one. */
export function issuesThatFit(issues: readonly Issue[], bytes: number): Issue[] {
  const kept: Issue[] = [];
  let left = bytes;
  for (const issue of issues) {
    const clipped = clipIssue(issue);
    left -= tagAndLength + toBinary(IssueSchema, clipped).length;
    if (left < 0 && kept.length > 0) break;
    kept.push(clipped);
  }
  return kept;
}

/** A field's tag, and the length of a message below 16 kB. */
const tagAndLength = 1 + 2;

/** A code, cut when it is over-long: another service's can be anything. */
export function clipCode(code: string): string {
  return clip(code, bytesOf.code);
}

/** The issue with over-long values cut: they are the caller's own, who has them whole. */
function clipIssue(issue: Issue): Issue {
  return create(IssueSchema, {
    system: clip(issue.system, bytesOf.name),
    code: clipCode(issue.code),
    text: clip(issue.text, bytesOf.text),
    diagnostics: clip(issue.diagnostics, bytesOf.diagnostics),
    severity: issue.severity,
    issueType: clip(issue.issueType, bytesOf.name),
    expressions: issue.expressions
      .slice(0, mostExpressions)
      .map(clipExpression)
      .filter((path) => path !== ""),
    parameters: Object.fromEntries(
      Object.entries(issue.parameters)
        .slice(0, mostParameters)
        .map(([name, value]) => [name, clip(value, bytesOf.parameter)]),
    ),
  });
}

/** The FHIRPath of the element, or, where that is over-long, of the nearest one round it whose path is not. */
function clipExpression(path: string): string {
  const wellFormed = path.toWellFormed();
  if (wellFormed.length * mostBytesPerUnit <= bytesOf.expression) return wellFormed;
  let kept = "";
  let bytes = 0;
  for (const [step] of wellFormed.matchAll(pathStep)) {
    bytes += encoder.encode(step).length;
    if (bytes > bytesOf.expression) return kept;
    kept += step;
  }
  return kept;
}

/** A name, also in backticks, with the arguments of a function and an index; each where the one before ended. */
const pathStep =
  /(?:^|\.)(?:`(?:[^`\\]|\\.)*`|[^.`'()[\]]+)(?:\((?:'(?:[^'\\]|\\.)*'|[^'()])*\))?(?:\[\d+\])?/gsuy;

/** The beginning of a text that takes no more than this many bytes of UTF-8, with an ellipsis where it was cut. */
function clip(text: string, bytes: number): string {
  const wellFormed = text.toWellFormed();
  if (wellFormed.length * mostBytesPerUnit <= bytes) return wellFormed;
  if (wellFormed.length <= bytes && encoder.encode(wellFormed).length <= bytes) return wellFormed;
  const room = new Uint8Array(bytes - encoder.encode(ellipsis).length);
  return wellFormed.slice(0, encoder.encodeInto(wellFormed, room).read) + ellipsis;
}

const encoder = new TextEncoder();
const ellipsis = "…";
const mostBytesPerUnit = 3;
