import { type ErrorIssues, type ErrorSystems, type MpiError, withoutValues } from "../errors/index.ts";
import type { Findings } from "./ports.ts";

/** Gathers the problems that work finds until they are stored. */
export class FoundProblems {
  readonly #systems: ErrorSystems;
  #problems = 0;
  #lastError: ErrorIssues | undefined;

  constructor(systems: ErrorSystems) {
    this.#systems = systems;
  }

  add(error: MpiError): void {
    this.#problems++;
    this.#lastError = withoutValues(error.issues, this.#systems);
  }

  /** Those since the last time. */
  take(): Findings {
    const findings = { problems: this.#problems, lastError: this.#lastError };
    this.#problems = 0;
    this.#lastError = undefined;
    return findings;
  }
}
