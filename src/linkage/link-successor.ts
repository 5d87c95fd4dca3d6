import { type ErrorIssue, MpiError, refuseFor } from "../errors/index.ts";
import type { LinkDecision, LinkStore, LockedPair, PatientPair, Telling } from "./ports.ts";
import { isLinkedAlready, successionFaults } from "./rules/index.ts";

/** What records of old personal codes are linked to their successors with. */
export interface SuccessionLinking {
  readonly links: LinkStore;
  readonly telling: Telling;
  readonly now: () => Date;
  /** Told of a link that cannot be made. */
  readonly onRefused: (pair: PatientPair, error: MpiError) => void;
}

/** Somebody else was faster. */
class LinkedAlready extends Error {
  override readonly name = "LinkedAlready";
}

/**
 * Links the record of an old personal code (the source) below that of its successor, once however many do it at a time.
 * A link that the rules or the WM service forbid is reported, but does not fail the call that asked for the person.
 */
export async function linkSuccessor(linking: SuccessionLinking, pair: PatientPair): Promise<void> {
  const { links, telling, now, onRefused } = linking;
  try {
    await links.link(pair, decide, now(), telling);
  } catch (error) {
    if (error instanceof LinkedAlready) return;
    if (!(error instanceof MpiError && error.issues.every(isRefusal))) throw error;
    onRefused(pair, error);
  }
}

function decide(pair: LockedPair): LinkDecision {
  if (isLinkedAlready(pair)) throw new LinkedAlready("The old code is linked to its successor.");
  refuseFor(successionFaults(pair));
  return { deactivate: false };
}

const REFUSALS: ReadonlySet<string> = new Set([
  "LINK_TO_SELF",
  "SECONDARY_ALREADY_LINKED",
  "PRIMARY_PATIENT_UNKNOWN",
  "WM_NOTIFICATION_FAILED",
]);

function isRefusal(issue: ErrorIssue): boolean {
  return "meaning" in issue && REFUSALS.has(issue.meaning);
}
