import { write, writeSync } from "node:fs";

/** Writes bytes to a file, and tells how many it took. */
export type WriteBytes = (
  file: number,
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, taken: number) => void,
) => void;

const STANDARD_ERROR = 2;
/** What waits at most while whoever reads the log is slow; what is more is lost. */
const MOST_WAITING = 8 * 1024 * 1024;
/** The reader of a pipe has not made room yet. */
const BUSY = "EAGAIN";
const BUSY_MS = 50;
/** How often a process that ends waits so long for a slow reader. */
const LAST_TURNS = 20;
const WARNING = 40;

/**
 * Standard error as pino writes to it, in the background. A line that cannot be written (the disk is full, the terminal is
 * gone) is lost, and the service goes on: pino's own destination ends the process, and has it try for ever at its end.
 * When lines can be written again one says how many were lost.
 */
export class LogDestination {
  readonly #write: WriteBytes;
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWriting = false;
  /** What a slow reader is waited for with. */
  #held: Buffer | undefined;
  #lost = 0;
  /** Whether the log ends within a line. */
  #isCut = false;

  constructor(writeBytes: WriteBytes = write) {
    this.#write = writeBytes;
    process.on("exit", () => this.#writeLast());
  }

  write(line: string): void {
    if (this.#waitingLength + line.length > MOST_WAITING) {
      this.#lost++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (!this.#isWriting) this.#writeWaiting();
  }

  #writeWaiting(): void {
    const lines = this.#waiting.length;
    this.#isWriting = lines > 0;
    if (lines > 0) this.#send(this.#take(), lines);
  }

  #take(): Buffer {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#waitingLength = 0;
    return Buffer.from(this.#isCut ? `\n${text}` : text);
  }

  #send(bytes: Buffer, lines: number): void {
    this.#held = undefined;
    this.#write(STANDARD_ERROR, bytes, (error, taken) => {
      if (error?.code === BUSY) this.#sendLater(bytes, lines);
      else if (error) this.#lose(lines);
      else if (taken < bytes.length) {
        this.#isCut = true;
        this.#send(bytes.subarray(taken), lines);
      } else this.#written();
    });
  }

  #sendLater(bytes: Buffer, lines: number): void {
    this.#held = bytes;
    setTimeout(() => this.#send(bytes, lines), BUSY_MS).unref();
  }

  #lose(lines: number): void {
    this.#lost += lines;
    this.#writeWaiting();
  }

  #written(): void {
    this.#isCut = false;
    if (this.#lost > 0) {
      const told = { level: WARNING, time: Date.now(), pid: process.pid, lines: this.#lost };
      this.#waiting.push(`${JSON.stringify({ ...told, msg: "lines of the log could not be written" })}\n`);
      this.#lost = 0;
    }
    this.#writeWaiting();
  }

  /** There is no background any more but for what was handed over: that is given time to be written first. */
  #writeLast(): void {
    if (this.#isWriting && !this.#held) pause(BUSY_MS);
    let bytes = Buffer.concat([this.#held ?? Buffer.of(), this.#take()]);
    for (let turn = 0; bytes.length > 0 && turn < LAST_TURNS; ) {
      try {
        bytes = bytes.subarray(writeSync(STANDARD_ERROR, bytes));
      } catch (error) {
        // There is nobody left to be told.
        if ((error as NodeJS.ErrnoException).code !== BUSY) return;
        pause(BUSY_MS);
        turn++;
      }
    }
  }
}

/** Waits while this thread does nothing else. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
