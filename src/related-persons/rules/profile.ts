import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import { isPresent, notAllowed, type Profiles, required } from "../../content-rules/index.ts";
import { isReferring } from "../../references/index.ts";

/** What the profile of contact persons asks (spec rules.md, "Profiles"). */
export const relatedPersonProfiles: Profiles<RelatedPerson> = {
  "ee-mpi-related-person": [
    required("RelatedPerson.active", ({ active, activeElement }) => isPresent(active, activeElement)),
    required("RelatedPerson.patient", ({ patient }) => isReferring(patient)),
    required("RelatedPerson.relationship", ({ relationship }) => relationship.length > 0),
    required("RelatedPerson.period", ({ period }) => period !== undefined),
    notAllowed("RelatedPerson.address", ({ address }) => address.length > 0),
    notAllowed("RelatedPerson.photo", ({ photo }) => photo.length > 0),
    notAllowed("RelatedPerson.communication", ({ communication }) => communication.length > 0),
  ],
};
