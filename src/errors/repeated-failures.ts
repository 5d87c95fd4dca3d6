import { causesOf } from "./causes.ts";
import { RepeatedReasons } from "./repeated-reasons.ts";

/** A line in the log. */
type Tell = (details: object, message: string) => void;

const LINE_MS = 60_000;

/**
 * Logs the failures of work that is tried again every second or so. While something that it needs is away it fails for the
 * same reason each time: one failure has a line, with its causes, and a minute later the others are counted in another.
 */
export class RepeatedFailures {
  readonly #tell: Tell;
  readonly #again: RepeatedReasons;

  constructor(tell: Tell) {
    this.#tell = tell;
    this.#again = new RepeatedReasons(LINE_MS, (reason, failures) => {
      tell({ failures, reason }, "work failed again for the same reason");
    });
  }

  note(error: unknown, what: string): void {
    const causes = causesOf(error);
    const why = causes.map(({ name, code = "", message = "" }) => `${name} ${code}${message}`.trim());
    if (!this.#again.isCounted(`${what}: ${why.join(", ")}`)) this.#tell({ causes }, what);
  }
}
