import { areaOf } from "./areas.ts";

/** A processor profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** The node where the thread was, each time that it was looked at. */
  readonly samples: readonly number[];
  /** From the sample before, in microseconds; the first is what it took to begin. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

export interface Shares {
  /** Time in which the thread was not idle, in microseconds. */
  readonly busy: number;
  /** Of the busy time, by area. */
  readonly byArea: ReadonlyMap<string, number>;
}

const IDLE = "(idle)";

/** How the busy time of a thread divides. What a function calls counts for itself, if it is of an area. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): Shares {
  const areas = areasOf(nodes);
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === IDLE).map(({ id }) => id));
  const times = new Map<string, number>();
  let busy = 0;
  for (const [at, sample] of samples.entries()) {
    const area = areas.get(sample);
    if (area === undefined || idle.has(sample)) continue;
    const time = timeDeltas[at + 1] ?? 0;
    busy += time;
    times.set(area, (times.get(area) ?? 0) + time);
  }
  return { busy, byArea: new Map([...times].map(([area, time]) => [area, time / busy])) };
}

/** The area of each node; callers come before what they call, and the root is of one. */
function areasOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const areas = new Map<number, string>();
  const inherited = new Map<number, string>();
  for (const { id, callFrame, children = [] } of nodes) {
    const area = areaOf(callFrame.functionName, callFrame.url) ?? inherited.get(id);
    if (area === undefined) continue;
    areas.set(id, area);
    for (const child of children) inherited.set(child, area);
  }
  return areas;
}
