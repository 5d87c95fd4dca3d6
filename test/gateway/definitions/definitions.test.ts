import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { structureDefinitions } from "../../../gateway/definitions/index.ts";
import { decodeResource, encodeResource } from "../../../gateway/fhir/index.ts";
import { acceptContactPoints, collectFaults } from "../../../src/content-rules/index.ts";
import { acceptMaritalStatus } from "../../../src/observations/rules/index.ts";
import { acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { acceptRelatedPerson } from "../../../src/related-persons/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { maritalStatus } from "../../observations/examples.ts";
import { arbitraryTelecom } from "../../patients/arbitrary-telecom.ts";
import {
  newbornPatient,
  stillbornPatient,
  unknownPatient,
  verifiedPatient,
} from "../../patients/examples.ts";
import { contactPerson } from "../../related-persons/examples.ts";
import { violations } from "./constraint-cases.ts";
import {
  changed,
  droppedCases,
  elementsOf,
  invalidCases,
  type Json,
  optionalCases,
} from "./profile-cases.ts";

/** What becomes of a FHIR body: what is stored of it, or why it is refused. */
type Outcome = { readonly stored: Json } | { readonly refused: readonly string[] };

const acceptPatient = (body: Json): Outcome => {
  const { message, faults } = decodeResource(PatientSchema, body as never);
  if (!message) return { refused: codes(faults) };
  const accepted = acceptNewPatient(message, setting);
  return outcome(accepted.faults, () => patientJson(accepted.patient));
};
const acceptContact = (body: Json): Outcome => {
  const { message, faults } = decodeResource(RelatedPersonSchema, body as never);
  if (!message) return { refused: codes(faults) };
  const accepted = acceptRelatedPerson(message, { groupIdentifiers: [], others: [], limit: 3 }, setting);
  return outcome(accepted.faults, () => contactJson(accepted.relatedPerson));
};
const acceptObservation = (body: Json): Outcome => {
  const { message, faults } = decodeResource(ObservationSchema, body as never);
  if (!message) return { refused: codes(faults) };
  const accepted = acceptMaritalStatus(message, { relatedPersons: [] });
  return outcome(accepted.faults, () => observationJson(accepted.observation));
};

const profiles: readonly (readonly [id: string, valid: Json, accept: (body: Json) => Outcome])[] = [
  ["ee-mpi-patient-verified", patientJson(verifiedPatient()), acceptPatient],
  ["ee-mpi-patient-unknown", patientJson(unknownPatient()), acceptPatient],
  ["ee-mpi-patient-newborn", patientJson(newbornPatient()), acceptPatient],
  ["ee-mpi-patient-stillborn", patientJson(stillbornPatient()), acceptPatient],
  ["ee-mpi-related-person", contactJson(contactPerson()), acceptContact],
  ["ee-mpi-socialhistory-marital-status", observationJson(maritalStatus()), acceptObservation],
];

describe("the definitions", () => {
  it("are those of the profiles that a resource can claim, and what they are derived from", () => {
    const ofResources = [...structureDefinitions.values()].filter(({ type }) => type !== "Extension");
    const concrete = ofResources.filter((one) => !one.abstract).map(({ id }) => id);
    expect(concrete.sort()).toEqual(profiles.map(([id]) => id).sort());
    for (const { id, url, abstract, type } of ofResources) {
      expect(url).toBe(`https://fhir.ee/mpi/StructureDefinition/${id}`);
      if (abstract)
        expect(acceptPatient(claiming(url))).toEqual({ refused: ["MPI-023 Patient.meta.profile[0]"] });
      else expect(["Patient", "RelatedPerson", "Observation"]).toContain(type);
    }
  });

  it("give every constraint of theirs a case below", () => {
    const keys = [...structureDefinitions.keys()].flatMap(constraintKeys);
    expect([...new Set(keys)].sort()).toEqual(Object.keys(violations).sort());
  });

  it("say of phone numbers and e-mail addresses in FHIRPath what is enforced", () => {
    const [emailPattern, phonePattern] = patternsOf("mpi-026");
    fc.assert(
      fc.property(arbitraryTelecom, ({ system, value }) => {
        const { report, faults } = collectFaults();
        acceptContactPoints([{ ...telecomPoint(), system, value }], "Patient.telecom", report);
        const isDescribed =
          system === "email" ? emailPattern?.test(value) : phonePattern?.test(value.replaceAll(" ", ""));
        expect(isDescribed).toBe(faults.length === 0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe.each(profiles)("%s", (id, valid, accept) => {
  it("accepts its example", () => {
    expect(accept(valid)).toEqual({ stored: valid });
  });

  it.each(optionalCases(id, valid))("accepts one $name", ({ body }) => {
    expect(accept(body)).toEqual({ stored: body });
  });

  it.each(droppedCases(id, valid))("accepts $name and does not store it", ({ body }) => {
    expect(accept(body)).toEqual({ stored: valid });
  });

  it.each(invalidCases(id, valid))("refuses $name", ({ body }) => {
    expect(accept(body)).toHaveProperty("refused");
  });

  const constraints = constraintKeys(id).filter((key) => isAboutWhatIsThere(key, valid));
  it.each(constraints)("refuses what breaks the constraint %s", (key) => {
    const { refused = [] } = accept(changed(valid, (body) => violations[key]?.(body))) as {
      refused?: string[];
    };
    expect(refused).not.toEqual([]);
    const [, code] = /^mpi-(\d\d\d(?:\.\d\d)?)$/.exec(key) ?? [];
    if (code !== undefined) expect(refused.map((fault) => fault.split(" ")[0])).toContain(`MPI-${code}`);
  });
});

function constraintKeys(id: string): string[] {
  return elementsOf(id).flatMap(({ constraint = [] }) => constraint.map(({ key }) => key));
}

/** Rules about an address or a language say nothing of a body that has none. */
function isAboutWhatIsThere(key: string, valid: Json): boolean {
  if (["mpi-049"].includes(key)) return valid["address"] !== undefined;
  if (["mpi-093", "mpi-language-tag"].includes(key)) return valid["communication"] !== undefined;
  return true;
}

function patternsOf(key: string): RegExp[] {
  const constraints = [...structureDefinitions.keys()].flatMap((id) =>
    elementsOf(id).flatMap(({ constraint = [] }) => constraint.filter((one) => one.key === key)),
  );
  const expressions = new Set(constraints.map(({ expression = "" }) => expression));
  expect(expressions.size).toBe(1);
  return [...expressions].flatMap((expression) =>
    Array.from(expression.matchAll(/matches\('([^']+)'\)/g), ([, pattern = ""]) => new RegExp(pattern)),
  );
}

function claiming(url: string): Json {
  return changed(patientJson(verifiedPatient()), (body) => {
    body["meta"] = { profile: [url] };
  });
}

function telecomPoint() {
  const [point] = verifiedPatient().telecom;
  if (!point) throw new Error("The example has a contact point.");
  return point;
}

function outcome(faults: Parameters<typeof codes>[0], stored: () => Json): Outcome {
  return faults.length > 0 ? { refused: codes(faults) } : { stored: stored() };
}

function patientJson(patient: Patient): Json {
  return encodeResource(PatientSchema, patient) as Json;
}

function contactJson(relatedPerson: RelatedPerson): Json {
  return encodeResource(RelatedPersonSchema, relatedPerson) as Json;
}

function observationJson(observation: Observation): Json {
  return encodeResource(ObservationSchema, observation) as Json;
}
