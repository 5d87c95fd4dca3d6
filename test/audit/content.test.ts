import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type AuditContent,
  type AuditEntry,
  contentAt,
  contentBytes,
  contentOf,
  jointContentBytes,
  jointContentOf,
} from "../../src/audit/index.ts";

const text = fc.option(fc.string({ unit: "grapheme" }), { nil: undefined });
const content = fc.record({
  action: fc.constantFrom("C" as const, "R" as const, "E" as const),
  method: fc.constantFrom("PatientService/ReadPatient", undefined),
  requestId: text,
  actor: fc.option(fc.record({ name: text, role: fc.constantFrom("doctor", undefined) }), { nil: undefined }),
  register: text,
  issue: text,
  refusal: text,
  resources: fc.option(fc.array(fc.string()), { nil: undefined }),
} satisfies Record<keyof AuditContent, unknown>);
const entry: fc.Arbitrary<AuditEntry> = fc
  .record({
    content,
    patientId: fc.option(fc.bigInt(1n, 10n ** 18n), { nil: undefined }),
  })
  .map(({ content: said, patientId }) => ({ ...said, patientId, recordedAt: new Date(0) }));

/** Without members that are undefined: JSON has none. */
function said({ patientId: _patient, recordedAt: _at, ...rest }: AuditEntry): unknown {
  return JSON.parse(JSON.stringify(rest));
}

it("the content of an entry comes back from its bytes", () => {
  fc.assert(
    fc.property(entry, (one) => {
      expect(contentOf(contentBytes(one))).toEqual(said(one));
    }),
  );
});

it("each of the contents that are written together comes back for its place and its patient, and for no others", () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      const joint = jointContentOf(jointContentBytes(entries));
      for (const [place, one] of entries.entries()) {
        expect(contentAt(joint, place, one.patientId)).toEqual(said(one));
        expect(contentAt(joint, place, (one.patientId ?? 0n) + 1n)).toBeUndefined();
      }
      expect(contentAt(joint, entries.length, entries[0]?.patientId)).toBeUndefined();
    }),
  );
});

it("what many say stands once in what is written together", () => {
  const actor = { name: "Mari Maasikas" };
  const entries = ["a", "b", "c"].map((requestId) => ({
    action: "R" as const,
    actor,
    requestId,
    patientId: 1n,
    recordedAt: new Date(0),
  }));
  expect(new TextDecoder().decode(jointContentBytes(entries)).match(/Maasikas/g)).toHaveLength(1);
});
