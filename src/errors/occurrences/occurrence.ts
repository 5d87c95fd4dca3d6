import type { Meaning } from "../catalogue/catalogue.ts";

/** Whether a meaning can be met, and by which requests. */
export type Occurrence = Raised | NotRaised;

/** Requests meet it; the scenario atlas (test/atlas) holds one of them. */
export interface Raised {
  /** The requests, in the words of the FHIR interface; gRPC has the same ones unless `only` says otherwise. */
  readonly raisedBy: string;
  /** The one interface that can meet it. */
  readonly only?: "HTTP" | "gRPC";
}

/** No request of today meets it. */
export interface NotRaised {
  /** Why not: what it comes with, or that it never shows. */
  readonly notRaised: string;
}

/** The same requests for several meanings. */
export function by<M extends Meaning>(
  raisedBy: string,
  meanings: readonly M[],
  only?: Raised["only"],
): Record<M, Raised> {
  return forEach(meanings, { raisedBy, ...(only && { only }) });
}

/** The same reason for several meanings. */
export function never<M extends Meaning>(notRaised: string, meanings: readonly M[]): Record<M, NotRaised> {
  return forEach(meanings, { notRaised });
}

function forEach<M extends Meaning, O extends Occurrence>(
  meanings: readonly M[],
  occurrence: O,
): Record<M, O> {
  return Object.fromEntries(meanings.map((meaning) => [meaning, occurrence])) as Record<M, O>;
}
