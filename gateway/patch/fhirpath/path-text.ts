/** A path of the subset of FHIRPath that patches take: steps from the resource downwards. */
export type Path = readonly Step[];

export type Step =
  | { readonly kind: "child"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "first" | "last" | "this" }
  | { readonly kind: "extension"; readonly url: string }
  | { readonly kind: "ofType"; readonly type: string }
  | { readonly kind: "where"; readonly criteria: Criteria };

/** What elements must be like. */
export type Criteria =
  | { readonly kind: "and" | "or"; readonly left: Criteria; readonly right: Criteria }
  | { readonly kind: "compare"; readonly path: Path; readonly equal: boolean; readonly literal: Literal }
  | { readonly kind: "exists"; readonly path: Path; readonly exists: boolean };

export type Literal = string | number | boolean;

const LONGEST = 1000;

/** Names, `quoted names`, 'texts', @dates, numbers, signs; white space between them is skipped. */
const TOKEN =
  /\s*(?:(?<name>[A-Za-z_]\w*|`[^`\\]+`|\$this)|'(?<text>(?:[^'\\]|\\.)*)'|@(?<date>[\dT:.Z+-]+)|(?<number>\d+(?:\.\d+)?)|(?<sign>!=|[.[\]()=]))/suy;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f" };

type Token =
  | { readonly kind: "name" | "sign"; readonly text: string }
  | { readonly kind: "literal"; readonly value: Literal };

/** Ends the reading of a path that is none of ours. */
class NotUnderstood extends Error {}

/** Reads a path; undefined when it is none, or has more than the subset. */
export function parsePath(text: string): Path | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    const reader = new PathReader(tokensOf(text));
    const path = reader.path();
    reader.end();
    return path;
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const groups = TOKEN.exec(trimmed)?.groups;
    if (groups === undefined) throw new NotUnderstood();
    tokens.push(tokenOf(groups));
  }
  return tokens;
}

function tokenOf({ name, text, date, number, sign }: Record<string, string | undefined>): Token {
  if (name !== undefined) return { kind: "name", text: name.replaceAll("`", "") };
  if (sign !== undefined) return { kind: "sign", text: sign };
  if (number !== undefined) return { kind: "literal", value: Number(number) };
  return { kind: "literal", value: date ?? unescaped(text ?? "") };
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, one: string) =>
    code === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

class PathReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  path(): Path {
    const steps = [this.#step()];
    for (;;) {
      if (this.#take(".")) steps.push(this.#step());
      else if (this.#take("[")) steps.push(this.#index());
      else return steps;
    }
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new NotUnderstood();
  }

  #step(): Step {
    const name = this.#name();
    if (name === "$this") return { kind: "this" };
    return this.#take("(") ? this.#call(name) : { kind: "child", name };
  }

  #index(): Step {
    const index = this.#literal();
    this.#demand("]");
    if (typeof index !== "number" || !Number.isSafeInteger(index)) throw new NotUnderstood();
    return { kind: "index", index };
  }

  #call(name: string): Step {
    switch (name) {
      case "first":
      case "last":
        this.#demand(")");
        return { kind: name };
      case "extension": {
        const url = this.#literal();
        this.#demand(")");
        if (typeof url !== "string") throw new NotUnderstood();
        return { kind: "extension", url };
      }
      case "ofType": {
        const type = this.#name();
        this.#demand(")");
        return { kind: "ofType", type };
      }
      case "where": {
        const criteria = this.#alternatives();
        this.#demand(")");
        return { kind: "where", criteria };
      }
      default:
        throw new NotUnderstood();
    }
  }

  /** `or` binds less than `and`. */
  #alternatives(): Criteria {
    let left = this.#conditions();
    while (this.#take("or")) left = { kind: "or", left, right: this.#conditions() };
    return left;
  }

  #conditions(): Criteria {
    let left = this.#condition();
    while (this.#take("and")) left = { kind: "and", left, right: this.#condition() };
    return left;
  }

  #condition(): Criteria {
    if (this.#take("(")) {
      const criteria = this.#alternatives();
      this.#demand(")");
      return criteria;
    }
    const path = this.#pathOfCriteria();
    if (this.#take("exists")) return this.#existence(path, true);
    if (this.#take("empty")) return this.#existence(path, false);
    const equal = this.#take("=");
    if (!equal && !this.#take("!=")) return { kind: "compare", path, equal: true, literal: true };
    return { kind: "compare", path, equal, literal: this.#literal() };
  }

  /** Up to `.exists()`, which is no step of a path. */
  #pathOfCriteria(): Path {
    const steps = [this.#step()];
    for (;;) {
      if (this.#take("[")) steps.push(this.#index());
      else if (!this.#take(".") || this.#isNext("exists") || this.#isNext("empty")) return steps;
      else steps.push(this.#step());
    }
  }

  #existence(path: Path, exists: boolean): Criteria {
    this.#demand("(");
    this.#demand(")");
    return { kind: "exists", path, exists };
  }

  #name(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "name") throw new NotUnderstood();
    this.#at += 1;
    return token.text;
  }

  #literal(): Literal {
    if (this.#take("true")) return true;
    if (this.#take("false")) return false;
    const token = this.#tokens[this.#at];
    if (token?.kind !== "literal") throw new NotUnderstood();
    this.#at += 1;
    return token.value;
  }

  #isNext(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && token.kind !== "literal" && token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#at += 1;
    return true;
  }

  #demand(text: string): void {
    if (!this.#take(text)) throw new NotUnderstood();
  }
}
