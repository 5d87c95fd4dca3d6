/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;
const REDRAW_MS = 100;
/** Clears what is left of a longer line that stood there. */
const CLEAR = "\u001b[K";

/**
 * Progress of work of `total` steps: a bar that redraws itself on a terminal, elsewhere a line for each tenth. Work may turn
 * out to be more than was expected: then what is done is all that is known of.
 */
export class ProgressBar {
  readonly #screen: Screen;
  readonly #total: number;
  readonly #startedAt = performance.now();
  readonly #before: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isOpen = false;
  /** How much was done when a full bar was shown. */
  #fullAt: number | undefined;
  #tenths = 0;

  /** `before` is what an earlier run has done, which does not count for the rate. */
  constructor(total: number, screen: Screen, before = 0) {
    this.#total = total;
    this.#screen = screen;
    this.#before = before;
  }

  /** Shows how many steps are done, the last time with all of them. */
  show(done: number): void {
    if (this.#screen.isTTY) this.#draw(done);
    else this.#print(done);
  }

  /** Ends the line of a bar that is not full, for something else to be written. */
  close(): void {
    if (this.#isOpen) this.#screen.write("\n");
    this.#isOpen = false;
  }

  #draw(done: number): void {
    const now = performance.now();
    const total = this.#totalAt(done);
    const isFull = done >= total;
    if (this.#fullAt === done) return;
    const isAtOnce = isFull && this.#fullAt === undefined;
    if (!isAtOnce && now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#isOpen = !isFull;
    if (isFull) this.#fullAt = done;
    const filled = Math.floor((WIDTH * done) / total);
    const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
    this.#screen.write(`\r[${bar}] ${this.#words(done)}${CLEAR}${isFull ? "\n" : ""}`);
  }

  #print(done: number): void {
    const tenths = Math.floor((10 * done) / this.#totalAt(done));
    if (tenths <= this.#tenths) return;
    this.#tenths = tenths;
    this.#screen.write(`${this.#words(done)}\n`);
  }

  #totalAt(done: number): number {
    return Math.max(this.#total, done);
  }

  #words(done: number): string {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = Math.round((done - this.#before) / Math.max(seconds, 0.001));
    const total = this.#totalAt(done);
    return `${done} of ${total} (${Math.floor((100 * done) / total)} %), ${rate} a second`;
  }
}
