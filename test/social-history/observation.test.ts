import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { PersonSummarySchema } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import {
  DayPeriodSchema,
  RegisteredOrganizationSchema,
} from "#proto/patientindex/registers/v1/register_query_pb.ts";
import { ContainedResourceSchema } from "#proto/patientindex/v1/contained_resource_pb.ts";
import { CodeableConceptSchema, type Period, PeriodSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import {
  conceptOf,
  type ObservationContent,
  observed,
  organizationPerformer,
  personPerformer,
  SNOMED,
} from "../../src/social-history/observation.ts";
import { checkStructure } from "../../src/structure/index.ts";

const KIND = { profile: "legal-status", code: { system: SNOMED, code: "8625004" } };
const patient = {
  id: "1",
  personalCode: "38001085718",
  birthDate: "1980-01-08",
  isDeceased: false,
  deathDate: undefined,
};
const unknown = {
  extension: [{ url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason", valueCode: "unknown" }],
};

function faultsOf(content: ObservationContent) {
  const observation = observed(KIND, patient, new Date("2026-11-21T10:00:00Z"), content);
  return checkStructure(ObservationSchema, observation);
}

describe("what a register does not know", () => {
  it.for<[MessageInitShape<typeof DayPeriodSchema> | undefined, object]>([
    [{ start: "2020-01-01" }, { start: "2020-01-01" }],
    [{ end: "2030-01-01" }, { end: "2030-01-01" }],
    [{}, { startElement: unknown }],
    [undefined, { startElement: unknown }],
  ])("of a period is left out, and said when that is all of it: %o", ([days, shown]) => {
    const content = { period: days && create(DayPeriodSchema, days) };
    const { effective } = observed(KIND, patient, new Date(), content);
    expect(toJson(PeriodSchema, effective.value as Period)).toEqual(shown);
    expect(faultsOf(content)).toEqual([]);
  });

  it.for<[MessageInitShape<typeof PersonSummarySchema>, object]>([
    [
      { personalCode: "47605030299", familyName: "Maasikas", givenNames: ["Mari", ""] },
      {
        identifier: [{ system: "https://fhir.ee/sid/pid/est/ni", value: "47605030299" }],
        name: [{ use: "official", family: "Maasikas", given: ["Mari"] }],
      },
    ],
    [{ familyName: "Maasikas" }, { name: [{ use: "official", family: "Maasikas" }] }],
    [{ givenNames: ["Mari"] }, { name: [{ use: "official", given: ["Mari"] }] }],
    [{ familyName: " ", givenNames: ["Mari", " "] }, { name: [{ use: "official", given: ["Mari"] }] }],
    [{ personalCode: " ", familyName: " ", givenNames: [" "] }, {}],
    [{}, {}],
  ])("of a person is left out: %o", ([summary, shown]) => {
    const performer = personPerformer(patient, create(PersonSummarySchema, summary));
    expect(toJson(ContainedResourceSchema, performer)).toEqual({
      relatedPerson: { id: "performer", patient: { reference: "Patient/1" }, ...shown },
    });
    expect(faultsOf({ performer })).toEqual([]);
  });

  it.for<[MessageInitShape<typeof RegisteredOrganizationSchema>, object]>([
    [{ name: "Näidise vald" }, { name: "Näidise vald" }],
    [
      { registryCode: "75000010" },
      {
        identifier: [{ system: "https://fhir.ee/sid/org/est/br", value: "75000010" }],
        nameElement: unknown,
      },
    ],
    [{}, { nameElement: unknown }],
    [{ registryCode: " ", name: " " }, { nameElement: unknown }],
  ])("of an organisation is left out, and said of its name: %o", ([organization, shown]) => {
    const performer = organizationPerformer(create(RegisteredOrganizationSchema, organization));
    expect(toJson(ContainedResourceSchema, performer)).toEqual({
      organization: { id: "performer", ...shown },
    });
    expect(faultsOf({ performer })).toEqual([]);
  });

  it("of a code is said, beside what the register calls it", () => {
    const value = conceptOf(SNOMED, "", "Arst");
    expect(toJson(CodeableConceptSchema, value)).toEqual({
      coding: [{ system: SNOMED, codeElement: unknown, display: "Arst" }],
    });
    expect(faultsOf({ value })).toEqual([]);
    expect(conceptOf(SNOMED, "", " ")).toEqual(conceptOf(SNOMED, ""));
  });
});
