import { setImmediate as turnOfTheEventLoop } from "node:timers/promises";

/**
 * The values of promises, none of which may reject, in groups: what becomes ready in the same turn of the event loop
 * comes together, at most so much weight of it.
 */
export async function* groupsAsReady<Value>(
  promises: readonly Promise<Value>[],
  weightOf: (value: Value) => number,
  mostWeight: number,
): AsyncGenerator<Value[]> {
  let ready: Value[] = [];
  let tell: () => void = () => {};
  for (const promise of promises) {
    void promise.then((value) => {
      ready.push(value);
      tell();
    });
  }
  for (let left = promises.length; left > 0; ) {
    if (ready.length === 0) {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
      await turnOfTheEventLoop();
    }
    const group = ready;
    ready = [];
    left -= group.length;
    yield* portions(group, weightOf, mostWeight);
  }
}

/** One portion as a rule; each has one value at least. */
function portions<Value>(values: Value[], weightOf: (value: Value) => number, mostWeight: number): Value[][] {
  if (values.length === 1) return [values];
  const all: Value[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const value of values) {
    const own = weightOf(value);
    weight += own;
    if (weight > mostWeight) {
      all.push([]);
      weight = own;
    }
    all.at(-1)?.push(value);
  }
  return all;
}
