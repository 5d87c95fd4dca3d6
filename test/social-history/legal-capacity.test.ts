import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CapacityDecisionSchema } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { capacityOf } from "../../src/social-history/legal-capacity.ts";

const TODAY = "2026-11-23";

/** The codes and first days of what the register and the law say of somebody's capacity today. */
function said(
  patient: { birthDate?: string; deathDate?: string },
  ...decisions: { code: string; period: { start: string; end?: string } }[]
) {
  const known = decisions.map((decision) => create(CapacityDecisionSchema, decision));
  return capacityOf(known, { birthDate: undefined, deathDate: undefined, ...patient }, TODAY).map(
    ({ code, period }) => [code, period?.start],
  );
}

describe("legal capacity without a decision in force", () => {
  it("is whole from the 18th birthday, of those born on 29 February from the last of the month", () => {
    expect(said({ birthDate: "2008-11-23" })).toEqual([["T0", "2026-11-23"]]);
    expect(said({ birthDate: "2008-11-24" })).toEqual([]);
    expect(said({ birthDate: "2008-02-29" })).toEqual([["T0", "2026-02-28"]]);
  });

  it("never began for a child who died, and is that of life for others", () => {
    expect(said({ birthDate: "2000-05-01", deathDate: "2010-05-01" })).toEqual([]);
    expect(said({ birthDate: "2000-05-01", deathDate: "2018-04-30" })).toEqual([]);
    expect(said({ birthDate: "2000-05-01", deathDate: "2018-05-01" })).toEqual([["T0", "2018-05-01"]]);
  });

  it("did not come back after a decision that ended with the death or later", () => {
    const decision = { code: "T2", period: { start: "2005-01-01", end: "2015-06-30" } };
    const patient = { birthDate: "1960-01-01" };
    expect(said({ ...patient, deathDate: "2015-06-30" }, decision)).toEqual([]);
    expect(said({ ...patient, deathDate: "2020-01-01" }, decision)).toEqual([["T0", "2015-07-01"]]);
    expect(said(patient, decision)).toEqual([["T0", "2015-07-01"]]);
  });
});
