import type { LeftOut } from "./shape.ts";

/** The cases of the manifest that are not run, and why. */
export const leftOut: readonly LeftOut[] = [
  {
    cases:
      "those with `profile`, `profiles`, `packages`, `logical` or `supporting` definitions, slicing, extension contexts",
    reason:
      "held to definitions that are no part of R5 (`bp`, `observation-bp` and others are run for their shape alone)",
  },
  {
    cases:
      "those of types without a counterpart in Patient, RelatedPerson and Observation: Questionnaire, Measure, Bundle as a document or message, StructureDefinition, SearchParameter, CDA, JWT, health cards",
    reason: "the service takes no such resource",
  },
  {
    cases: "those of versions 1.0 to 3.0",
    reason: "the service speaks R5; shapes of 4.0 that R5 has too are run",
  },
  {
    cases:
      "codes, displays, units, value sets: `patient-bad-gender`, `list-wrong-code`, `code-*`, `loinc-*`, `obs-*`, `observation-ucum`, `supplement-*`",
    reason:
      "they need a terminology service; gender, use and the like are checked by the rules of the index, not by the structure",
  },
  {
    cases:
      "`list-contained-bad`, `reference-bad`, `reference-bad-typed`, `patient-dupl-id-1`, `duplicate-security-tags`, `fhirpath-*`",
    reason: "invariants of R5 and references: not part of the structure check",
  },
  {
    cases:
      "`list-xhtml-attribute`, `-element`, `-nested`, `-syntax`, `-xxe`, `-wrongns1`, `-wrongns2` as JSON, `-attribute`, `-element`, `-nested`, `-wrongns2` as XML, `pat-security-*`, `patient-url-*`, `patient-lang2*`, `patient-lang3`, `extension-slice`",
    reason: "content of narratives, which the service drops unread; HTML in texts is text",
  },
  {
    cases:
      "`patient-extension-bad`, `-complex-bad1`, `-complex-bad2`, `patient-xver*`, `pat-example-extensions`, and `pat-dob-ext` as an error",
    reason: "unknown extensions are kept, whatever their definition",
  },
  {
    cases: "`primitive-good`, `primitive-bad-empty`",
    reason:
      "the files could not be had; two of their decimals have more than 18 digits, which R5's regular expression refuses. Values of `primitive-bad` that the manifest does not show are like them",
  },
  { cases: "`xml_v11`", reason: "XML 1.1 is refused (`docs/fhir-mapping.md`)" },
  { cases: "`resource-invalid-eid-2`", reason: "a body of more than 1 MB is refused by its length (413)" },
];
