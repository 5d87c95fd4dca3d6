const TICK_MS = 10;

export interface Pace {
  /** At most so many are done within 10 ms, unless they have waited too long. */
  readonly perTick: number;
  /** Nothing waits longer, in milliseconds. */
  readonly longestMs: number;
}

interface Held {
  readonly action: () => void;
  /** By performance.now(). */
  readonly due: number;
}

/** A function that does what it is given: at once while that is not much, else in its order at that pace. */
export function paced({ perTick, longestMs }: Pace): (action: () => void) => void {
  let held: Held[] = [];
  let done = 0;
  let timer: NodeJS.Timeout | undefined;
  const tick = () => {
    const ready = held.slice(0, Math.max(perTick, overdueOf(held)));
    held = held.slice(ready.length);
    done = ready.length;
    if (done === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const { action } of ready) action();
  };
  return (action) => {
    timer ??= setInterval(tick, TICK_MS);
    if (held.length > 0 || done >= perTick) {
      held.push({ action, due: performance.now() + longestMs });
      return;
    }
    done += 1;
    action();
  };
}

/** How many have waited too long; they are in order. */
function overdueOf(held: readonly Held[]): number {
  const now = performance.now();
  const onTime = held.findIndex(({ due }) => due > now);
  return onTime === -1 ? held.length : onTime;
}
