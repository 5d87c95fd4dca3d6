import { create } from "@bufbuild/protobuf";
import { IdentifierSchema, type Reference, ReferenceSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type PatientSelector, PatientSelectorSchema } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type Fault, fault, refuseFor } from "../../src/errors/index.ts";
import { isReferring, mayBeToPatient, referredTo } from "../../src/references/index.ts";
import { type Answer, jsonAnswer, present, versionHeaders } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { makeRelative } from "../exchange/local-references.ts";
import {
  type ParameterRule,
  type TypedParameters,
  typedParameters,
} from "../exchange/parameters/typed-parameters.ts";
import { encodeResource } from "../fhir/index.ts";
import { reworded } from "../outcome/named-anew.ts";

/** Spec http-api.md, "Operations"; they change something, so they are offered by POST alone. */
export const linkageOperations: readonly Interaction[] = [
  linkageOperation("link", async ({ gateway, call }, pair) => {
    const { target } = await gateway.core.linkage.linkPatients(pair, call);
    return target;
  }),
  linkageOperation("unlink", async ({ gateway, call }, pair) => {
    const { released } = await gateway.core.linkage.unlinkPatients(pair, call);
    return released;
  }),
];

type Side = "source" | "target";

interface Pair {
  readonly source: PatientSelector;
  readonly target: PatientSelector;
}

const PARAMETERS: Readonly<Record<string, ParameterRule>> = {
  "source-patient": { schema: ReferenceSchema },
  "source-patient-identifier": { schema: IdentifierSchema, repeatable: true },
  "target-patient": { schema: ReferenceSchema },
  "target-patient-identifier": { schema: IdentifierSchema, repeatable: true },
};

function linkageOperation(
  name: string,
  ask: (request: FhirRequest, pair: Pair) => Promise<Patient | undefined>,
): Interaction {
  return {
    code: "operation",
    operation: name,
    resourceType: "Patient",
    method: "POST",
    path: `/Patient/$${name}`,
    body: "resource",
    parameters: [],
    handle: async (request) => {
      const given = typedParameters(request, PARAMETERS);
      const pair = pairOf(request, given);
      try {
        return patientAnswer(request, present(await ask(request, pair)));
      } catch (error) {
        throw reworded(error, (words) => inWordsOf("target", given, inWordsOf("source", given, words)));
      }
    },
  };
}

function patientAnswer(request: FhirRequest, patient: Patient): Answer {
  const answer = jsonAnswer(request, 200, encodeResource(PatientSchema, patient), versionHeaders(patient));
  return { ...answer, lastUpdated: patient.meta?.lastUpdated };
}

function pairOf(request: FhirRequest, given: TypedParameters): Pair {
  for (const name of ["source-patient", "target-patient"]) {
    makeRelative(given.values(name, ReferenceSchema), request);
  }
  const faults: Fault[] = [];
  const pair = { source: selectorOf("source", given, faults), target: selectorOf("target", given, faults) };
  refuseFor(faults);
  return pair;
}

function selectorOf(side: Side, given: TypedParameters, faults: Fault[]): PatientSelector {
  const identifiers = given.values(`${side}-patient-identifier`, IdentifierSchema);
  const [reference] = given.values(`${side}-patient`, ReferenceSchema);
  if (!reference) return create(PatientSelectorSchema, { identifiers });
  const path = `${pathOf(`${side}-patient`)}.value`;
  const selector = selectedBy(reference);
  if (!selector) faults.push(fault("REFERENCE_INVALID", { element: path }, { expression: [path] }));
  return create(PatientSelectorSchema, {
    ...selector,
    identifiers: [...identifiers, ...(selector?.identifiers ?? [])],
  });
}

/** Whom a reference is to, by address or by identifier; undefined when it is to nobody who could be a patient. */
function selectedBy(reference: Reference): Pick<PatientSelector, "id" | "identifiers"> | undefined {
  if (!isReferring(reference) || !mayBeToPatient(reference)) return undefined;
  const identifiers = reference.identifier ? [reference.identifier] : [];
  if (reference.reference === undefined) return { id: "", identifiers };
  const target = referredTo(reference);
  return target?.type === "Patient" ? { id: target.id, identifiers } : undefined;
}

/** What the core says of the identifier of a reference, which it is given behind the others, in words of the request. */
function inWordsOf(side: Side, given: TypedParameters, words: string): string {
  const [reference] = given.values(`${side}-patient`, ReferenceSchema);
  if (!reference?.identifier) return words;
  const inIdentifiers = `${side}-patient-identifier`;
  const others = given.values(inIdentifiers, IdentifierSchema).length;
  const placed = words.replaceAll(
    `${pathOf(inIdentifiers)}[${others}].value`,
    `${pathOf(`${side}-patient`)}.value.identifier`,
  );
  return others === 0 ? placed.replaceAll(inIdentifiers, `${side}-patient`) : placed;
}

function pathOf(parameter: string): string {
  return `Parameters.parameter.where(name='${parameter}')`;
}
