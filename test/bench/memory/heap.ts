import type { Inspector } from "../servers/inspector.ts";

/** Bytes of a process. */
export interface Usage {
  /** In use by objects. */
  readonly heap: number;
  /** In use outside the heap, by buffers above all. */
  readonly buffers: number;
  /** In memory, for whatever. */
  readonly resident: number;
}

/** What another process has after a full collection, which stops it for some ten milliseconds. */
export async function usageAfterCollection(inspector: Inspector): Promise<Usage> {
  await inspector.ask("HeapProfiler.collectGarbage");
  const { result } = await inspector.ask("Runtime.evaluate", {
    expression: "process.memoryUsage()",
    returnByValue: true,
  });
  const usage = (result as { readonly value?: NodeJS.MemoryUsage } | undefined)?.value;
  if (!usage) throw new Error("The inspector does not tell what memory is used.");
  return { heap: usage.heapUsed, buffers: usage.external, resident: usage.rss };
}
