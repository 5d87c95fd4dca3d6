import { aligned } from "../figures/aligned.ts";
import type { Dimension } from "./dimension.ts";
import type { Growth } from "./growth-of.ts";

/** The growths of a dimension as lines for a terminal. */
export function table({ of }: Dimension, growths: readonly Growth[]): string {
  const [first] = growths;
  const sizes = first?.sizes.map(({ size }) => size) ?? [];
  const head = [of, `µs at ${sizes[0]}`, ...sizes.slice(1).map(String), "bar"];
  const rows = growths.map((growth) => [
    growth.operation,
    growth.microseconds.toFixed(0),
    ...growth.sizes.slice(1).map(({ ratio }) => ratio.toFixed(2)),
    growth.sizes.at(-1)?.limit.toFixed(1) ?? "",
  ]);
  return aligned([head, ...rows], 1).join("\n");
}

/** What grows more than it may, in words. */
export function missed(growths: readonly Growth[]): string[] {
  return growths.flatMap(({ dimension, operation, sizes }) =>
    sizes
      .filter(({ ratio, limit }) => !(ratio <= limit))
      .map(
        ({ size, ratio, limit }) =>
          `${dimension}, ${operation}: ${ratio.toFixed(2)} times the smallest at ${size}, the bar is ${limit.toFixed(1)}`,
      ),
  );
}
