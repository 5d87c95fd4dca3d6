import { create } from "@bufbuild/protobuf";
import { ContainedResourceSchema } from "#proto/patientindex/v1/contained_resource_pb.ts";
import { ReferenceSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import {
  checkBoundCodes,
  checkInvariants,
  checkKeptReferences,
  checkLanguageTag,
  checkPeriod,
  checkProfile,
  checkWhole,
  collectFaults,
  withoutUnprocessedElements,
} from "../../content-rules/index.ts";
import type { Fault } from "../../errors/index.ts";
import { checkContainedPersons } from "./contained-persons.ts";
import { checkOtherPersons, type Relations } from "./other-person.ts";
import { maritalStatusProfiles } from "./profile.ts";

/** What the rules make of a marital status. */
export interface AcceptedObservation {
  /** As it is to be stored. It shares with the given one what needed no change. */
  readonly observation: Observation;
  /** Every fault of the body, in the order of the rules; when there is any, nothing is to be stored. */
  readonly faults: Fault[];
}

/** Holds a new or changed marital status to the rules, and refuses any other observation; `given` is not changed. */
export function acceptMaritalStatus(given: Observation, relations: Relations): AcceptedObservation {
  const { report, faults } = collectFaults();
  checkWhole(given.meta, "Observation", report);
  checkProfile(given.meta, given, maritalStatusProfiles, "Observation", report);
  checkLanguageTag(given.language, "Observation.language", report);
  const { effective } = given;
  if (effective.case === "effectivePeriod") checkPeriod(effective.value, "Observation.effective", report);
  checkContainedPersons(given, report);
  checkOtherPersons(given, relations, report);
  const observation = storedForm(given);
  const inPlace = besidesLookedUp(given, observation);
  checkKeptReferences(inPlace, "Observation", report);
  checkBoundCodes(inPlace, "Observation", report);
  checkInvariants(inPlace, "Observation", report);
  return { observation, faults };
}

/**
 * What is kept, but for the subject, which is looked up, and what the focus contains, which is held to MPI-034; what is
 * contained stands in its place in the body.
 */
function besidesLookedUp({ contained }: Observation, kept: Observation): Observation {
  return {
    ...kept,
    subject: undefined,
    focus: kept.focus.map((one) => (one.reference?.startsWith("#") ? create(ReferenceSchema) : one)),
    contained: contained.map((one) => (kept.contained.includes(one) ? one : create(ContainedResourceSchema))),
  };
}

/** A copy in its stored form: of what is contained only the other person is kept, a related person. */
function storedForm(given: Observation): Observation {
  const contained = given.contained.filter(({ resource }) => resource.case === "relatedPerson");
  return { ...withoutUnprocessedElements(given), contained };
}
