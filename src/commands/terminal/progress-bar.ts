/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;
const REDRAW_MS = 100;

/** Progress of work of `total` steps: a bar that redraws itself on a terminal, elsewhere a line for each tenth. */
export class ProgressBar {
  readonly #screen: Screen;
  readonly #total: number;
  readonly #startedAt = performance.now();
  readonly #before: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
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

  #draw(done: number): void {
    const now = performance.now();
    const isLast = done >= this.#total;
    if (!isLast && now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    const filled = Math.floor((WIDTH * done) / this.#total);
    const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
    this.#screen.write(`\r[${bar}] ${this.#words(done)}${isLast ? "\n" : ""}`);
  }

  #print(done: number): void {
    const tenths = Math.floor((10 * done) / this.#total);
    if (tenths <= this.#tenths) return;
    this.#tenths = tenths;
    this.#screen.write(`${this.#words(done)}\n`);
  }

  #words(done: number): string {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = Math.round((done - this.#before) / Math.max(seconds, 0.001));
    return `${done} of ${this.#total} (${Math.floor((100 * done) / this.#total)} %), ${rate} a second   `.trimEnd();
  }
}
