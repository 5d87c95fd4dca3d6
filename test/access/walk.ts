import { GrpcStatus } from "../../src/errors/index.ts";
import type { Way } from "../atlas/scenario.ts";
import { isAllowed, isReached, type Role, scopes, type Whose } from "./expected-rights.ts";
import type { PatientRecord, Probe } from "./probe.ts";
import { probes } from "./probes.ts";
import type { Records } from "./records.ts";

/** A probe in one of the ways in which it can be asked. */
export interface Walk extends Probe {
  readonly way: Way;
  /** Tells those apart that ask for the same. */
  readonly place: number;
}

/** A record that is not there. */
export const nobodys: PatientRecord = {
  id: "999999999",
  personalCode: "60001019906",
  contactId: "9999999990001",
  observationId: "9999999990001",
};

export const everyScope = Object.values(scopes).join(" ");

export const walks: readonly Walk[] = probes.flatMap((probe, place) =>
  (["http", "grpc"] as const)
    .filter((way) => way in probe.asks(nobodys))
    .map((way) => ({ ...probe, way, place })),
);

/** Asks in each role for each record that matters: what was answered, and what the specification says. */
export async function walked(records: Records, walk: Walk, roles: readonly Role[], scope: string) {
  const found: Record<string, string> = {};
  const expected: Record<string, string> = {};
  const wanted: readonly Whose[] = walk.general ? ["other"] : ["own", "represented", "other"];
  for (const role of roles) {
    for (const whose of wanted) {
      const asked = `${role}: ${whose}`;
      found[asked] = await records.ask(walk.way, walk.asks(records.of[whose]), { role, scope });
      expected[asked] = expectedOf(walk, role, whose, scope);
    }
  }
  return { found, expected };
}

const FORBIDDEN: Readonly<Record<Way, number>> = { http: 403, grpc: GrpcStatus.PERMISSION_DENIED };

function expectedOf(walk: Walk, role: Role, whose: Whose, scope: string): string {
  const missing = missingRights(walk.interaction, role, scope);
  const forbidden = String(FORBIDDEN[walk.way]);
  if (missing.length > 0) return [forbidden, ...missing.map((name) => `MPI-403 ${name}`)].join(", ");
  return walk.general || isReached(role, whose) ? String(walk.allowed[walk.way]) : `${forbidden}, MPI-052`;
}

/** A scope is all that its interaction needs, but who searches by the day of birth must be allowed to search at all. */
function missingRights(interaction: string, role: Role, scope: string): string[] {
  const needed =
    interaction === "search Patient by birthdate" ? ["search Patient", interaction] : [interaction];
  return needed.filter((name) => (name in scopes ? scope === "" : !isAllowed(name, role)));
}
