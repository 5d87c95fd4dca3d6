import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema, type Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import { atElements, parameterExpression, type Rename, renamed } from "../../src/errors/index.ts";

const PAGE_FIELD = "page_token";
const PAGE_PARAMETER = "_page";

/** The same failure, of the core or of the gateway itself, with what is at fault named in other words. */
export function namedAnew(error: unknown, rename: Rename): unknown {
  return error instanceof ConnectError
    ? coreErrorAt(error, (expressions) => renamed(expressions, rename))
    : atElements(error, rename);
}

/** The same failure of the core in other words, wherever they stand: in the expressions of its issues, their texts and values. */
export function reworded(error: unknown, reword: (words: string) => string): unknown {
  return error instanceof ConnectError ? coreErrorOf(error, (issue) => rewordedIssue(issue, reword)) : error;
}

function rewordedIssue(issue: Issue, reword: (words: string) => string): Issue {
  const { expressions, text, diagnostics, parameters } = issue;
  const values = Object.entries(parameters).map(([name, value]) => [name, reword(value)]);
  return {
    ...issue,
    expressions: expressions.map(reword),
    text: reword(text),
    diagnostics: reword(diagnostics),
    parameters: Object.fromEntries(values),
  };
}

/** An error of the core with other expressions in its issues; an error without details stays as it is. */
export function coreErrorAt(
  error: ConnectError,
  expressionsOf: (expressions: readonly string[]) => string[],
): ConnectError {
  return coreErrorOf(error, (issue) => ({ ...issue, expressions: expressionsOf(issue.expressions) }));
}

/** Throws what a call failed with. The core speaks of the place of a page by the name of its field, which nobody has sent over HTTP. */
export function inWordsOfHttp(error: unknown): never {
  throw error instanceof ConnectError ? coreErrorOf(error, issueOfPage) : error;
}

function issueOfPage(given: Issue): Issue {
  const expressions = given.expressions.map((one) =>
    one === PAGE_FIELD ? parameterExpression(PAGE_PARAMETER) : one,
  );
  const issue = { ...given, expressions };
  if (issue.parameters["param"] !== PAGE_FIELD) return issue;
  const { text, diagnostics, parameters } = issue;
  return {
    ...issue,
    text: text.replaceAll(PAGE_FIELD, PAGE_PARAMETER),
    diagnostics: diagnostics.replaceAll(PAGE_FIELD, PAGE_PARAMETER),
    parameters: { ...parameters, param: PAGE_PARAMETER },
  };
}

function coreErrorOf(error: ConnectError, issueOf: (issue: Issue) => Issue): ConnectError {
  const [details] = error.findDetails(ErrorDetailsSchema);
  if (details === undefined) return error;
  const issues = details.issues.map(issueOf);
  return new ConnectError(
    error.rawMessage,
    error.code,
    error.metadata,
    [
      { desc: ErrorDetailsSchema, value: { ...details, issues } },
      ...error.findDetails(ErrorInfoSchema).map((value) => ({ desc: ErrorInfoSchema, value })),
    ],
    error,
  );
}
