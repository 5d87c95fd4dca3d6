import { currentSpan } from "../../call/current-call.ts";
import { errorTypeOf, type Span } from "../../tracing/index.ts";
import { sqlState } from "./sql-state.ts";

/** What a statement does, and with which table of ours first; nothing else of its text, and none of its values. */
interface Summary {
  readonly operation: string;
  readonly summary: string;
}

/** Keywords of our statements are in capitals, names are not. */
const WRITE = /\b(INSERT INTO|(?<!FOR |KEY )UPDATE|DELETE FROM)\s+(?:"public"\.)?"?([a-z]\w*)/;
const READ_FROM = /\bFROM\s+(?:"public"\.)?"?([a-z]\w*)"?(?!\w|\s*\()/;
const FIRST_WORD = /^\s*([A-Z]+)\b/;

const summaries = new Map<string, Summary>();
/** Callers decide how many conditions a text has. */
const MOST_KEPT = 500;

/** The statement as a part of the work that it is sent for; undefined where that is in no trace. */
export function spanOfStatement(text: string | undefined): Span | undefined {
  const work = currentSpan();
  if (!work) return undefined;
  const { operation, summary } = summaryOf(text ?? "");
  return work.child(summary, "client", {
    "db.system.name": "postgresql",
    "db.operation.name": operation,
    "db.query.summary": summary,
  });
}

/** The answer, with whose coming the span ends. */
export function spanned<Answer>(span: Span | undefined, answer: Promise<Answer>): Promise<Answer> {
  if (!span) return answer;
  answer.then(
    () => span.end(),
    (error: unknown) => span.end(sqlState(error) ?? errorTypeOf(error)),
  );
  return answer;
}

function summaryOf(text: string): Summary {
  let known = summaries.get(text);
  if (known === undefined) {
    known = newSummary(text);
    if (summaries.size < MOST_KEPT) summaries.set(text, known);
  }
  return known;
}

function newSummary(text: string): Summary {
  const [, write, written = ""] = WRITE.exec(text) ?? [];
  const [first = "OTHER"] = write?.split(" ") ?? FIRST_WORD.exec(text)?.slice(1) ?? [];
  const operation = first === "WITH" ? "SELECT" : first;
  const table = written || READ_FROM.exec(text)?.[1];
  return { operation, summary: table ? `${operation} ${table}` : operation };
}
