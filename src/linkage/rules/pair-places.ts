import type { FaultOptions } from "../../errors/index.ts";

export type Side = "source" | "target";

/** Where a request names its two patients, as FHIRPath; there is no request when a register links. */
export type PairPlaces = Readonly<Record<Side, string>>;

/** Names these of the two in an issue. */
export function at(sides: readonly Side[], places: PairPlaces | undefined): Pick<FaultOptions, "expression"> {
  return places ? { expression: sides.map((side) => places[side]) } : {};
}
