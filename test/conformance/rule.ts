import type { Server } from "./server.ts";

/** A line of the checklist: what R5 wants, the section that says so, and how it is seen over HTTP. */
export interface Rule {
  /** Page of the R5 specification with its section, such as http.html#create. */
  readonly section: string;
  /** As a sentence about the service. */
  readonly rule: string;
  /** Asks the service, and fails when the rule does not hold. */
  readonly holds: (server: Server) => Promise<void>;
}

/** Rules about one thing, in the order in which they are read. */
export interface Topic {
  readonly title: string;
  /** The file of the rules, below test/conformance/rules. */
  readonly file: string;
  readonly rules: readonly Rule[];
}

export function rule(section: string, sentence: string, holds: Rule["holds"]): Rule {
  return { section, rule: sentence, holds };
}
