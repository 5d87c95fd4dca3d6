import { GrpcStatus } from "../../src/errors/index.ts";
import type { Exchange } from "../atlas/scenario.ts";

/** A patient with what lies with them. */
export interface PatientRecord {
  readonly id: string;
  readonly personalCode: string;
  readonly contactId: string;
  readonly observationId: string;
}

/** A request that asks for an interaction, in both ways where there are both. */
export interface Probe {
  /** As security.md names it. */
  readonly interaction: string;
  readonly asks: (about: PatientRecord) => Exchange;
  /** What it is answered with when nothing stands in its way. Nothing is ever written. */
  readonly allowed: { readonly http: number; readonly grpc: number };
  /** It is about no single record. */
  readonly general?: true;
}

export const DONE = { http: 200, grpc: GrpcStatus.OK };
/** Writes name a version that is not there, or hold a body that rules refuse. */
export const CONFLICT = { http: 412, grpc: GrpcStatus.ABORTED };
export const REFUSED = { http: 400, grpc: GrpcStatus.INVALID_ARGUMENT };
