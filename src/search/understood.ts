import { type Fault, refuseFor } from "../errors/index.ts";

/** A search that was understood; refused with all that is wrong with it. */
export function understood<Search extends object>(parsed: Search | readonly Fault[]): Search {
  if (!isRefused(parsed)) return parsed;
  refuseFor(parsed);
  throw new Error("A search was refused without a fault.");
}

function isRefused(parsed: object): parsed is readonly Fault[] {
  return Array.isArray(parsed);
}
