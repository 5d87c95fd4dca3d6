import { expect, test } from "vitest";
import { referredTo, relativeReference } from "../../src/references/index.ts";

const reached = { bases: ["https://mpi.example.ee/fhir", "http://10.0.0.5:8080/fhir"] };

test.each([
  ["Patient/7", { type: "Patient", id: "7" }],
  ["Patient/7/_history/2", { type: "Patient", id: "7" }],
  ["RelatedPerson/70001", { type: "RelatedPerson", id: "70001" }],
  ["https://mpi.example.ee/fhir/Patient/7", undefined],
  ["/Patient/7", undefined],
  ["../Patient/7", undefined],
  ["Patient/7?x=y", undefined],
  ["Patient/7#a", undefined],
  ["x/Patient/7", undefined],
  ["urn:uuid:7", undefined],
  ["#7", undefined],
  ["", undefined],
])("the reference %j is to %j of the index", (reference, target) => {
  expect(referredTo({ reference })).toEqual(target);
});

test.each([
  ["https://mpi.example.ee/fhir/Patient/7", "Patient/7"],
  ["https://mpi.example.ee/fhir/Patient/7/_history/2", "Patient/7/_history/2"],
  ["HTTPS://MPI.example.ee:443/fhir/Patient/7", "Patient/7"],
  ["http://10.0.0.5:8080/fhir/RelatedPerson/70001", "RelatedPerson/70001"],
])("%s is below a base of the index: %s", (reference, relative) => {
  expect(relativeReference(reference, reached)).toBe(relative);
});

test.each([
  "Patient/7",
  "http://mpi.example.ee/fhir/Patient/7",
  "https://mpi.example.ee:8443/fhir/Patient/7",
  "https://mpi.example.ee/FHIR/Patient/7",
  "https://mpi.example.ee/fhirPatient/7",
  "https://mpi.example.ee/fhir//Patient/7",
  "https://mpi.example.ee/fhir/Patient/7?x=y",
  "https://mpi.example.ee/fhir/Patient?identifier=7",
  "https://mpi.example.ee/fhir/x/../Patient/7",
  "https://mpi.example.ee/fhir/metadata",
  "https://mpi.example.ee@other.example/fhir/Patient/7",
  "https://other.example\\@mpi.example.ee/fhir/Patient/7",
  "https://other.example/?https://mpi.example.ee/fhir/Patient/7",
  "https://[/fhir/Patient/7",
])("%s stays as it is: it is to no resource below a base", (reference) => {
  expect(relativeReference(reference, reached)).toBe(reference);
});
