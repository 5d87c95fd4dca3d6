import { describe, expect, it } from "vitest";
import { auditEventOf } from "../../src/audit/audit-event.ts";
import type { AuditActor, AuditContent } from "../../src/audit/index.ts";

/** Nothing may be left out: a member that is new has to be shown, too. */
type Whole<Said> = { readonly [Member in keyof Said]-?: NonNullable<Said[Member]> };

const actor: Whole<Omit<AuditActor, "represented">> = {
  personalCode: "38001085718",
  name: "Mari Maasikas",
  role: "consent-representative",
  organization: "90009016",
  application: "wards",
};
const content: Whole<Omit<AuditContent, "actor" | "refusal">> = {
  action: "D",
  method: "RelatedPersonService/DeleteRelatedPerson",
  requestId: "request-1",
  register: "urn:register",
  issue: "käsitlus 17",
  resources: ["RelatedPerson/70001"],
};

describe("an AuditEvent shows all that its entry says", () => {
  it.each([
    ["answered", { ...actor, represented: "49403136515" }, undefined],
    ["refused", actor, "MPI-403 FORBIDDEN"],
  ])("of a call that was %s", (_how, who, refusal) => {
    const place = { streamId: 7n, n: 3n, recordedAt: new Date(0), patientId: 7n };
    const shown = JSON.stringify(auditEventOf({ ...content, actor: who, refusal, ...place }));
    const said = [...Object.values(content).flat(), ...Object.values(who), refusal ?? "success"];
    for (const one of said) expect(shown).toContain(JSON.stringify(one));
  });
});
