import type { Fault } from "../../errors/index.ts";
import type { LockedPair } from "../ports.ts";
import { linkFaults } from "./link-rules.ts";

/** Whether the source is a secondary in the group of the target: then nothing is left to link. */
export function isLinkedAlready({ source, target }: LockedPair): boolean {
  return source.rootId !== source.id && source.rootId === target.rootId;
}

/**
 * What forbids the population register to link an old personal code to its successor: what forbids it to clients since
 * 1.5.0, but that the source is Estonian.
 */
export function successionFaults(pair: LockedPair): Fault[] {
  return linkFaults(pair, "1.5.0").filter(({ meaning }) => meaning !== "SECONDARY_PATIENT_ESTONIAN");
}
