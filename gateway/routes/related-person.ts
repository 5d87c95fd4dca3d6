import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { type StoredCalls, type StoredType, storedType } from "./resource/stored-type.ts";

const calls: StoredCalls<RelatedPerson> = {
  read: async ({ relatedPersons }, request, call) =>
    (await relatedPersons.readRelatedPerson(request, call)).relatedPerson,
  readVersion: async ({ relatedPersons }, request, call) =>
    (await relatedPersons.readRelatedPersonVersion(request, call)).relatedPerson,
  create: async ({ relatedPersons }, relatedPerson, call) =>
    (await relatedPersons.createRelatedPerson({ relatedPerson }, call)).relatedPerson,
  update: async ({ relatedPersons }, id, relatedPerson, call) =>
    (await relatedPersons.updateRelatedPerson({ id, relatedPerson }, call)).relatedPerson,
  remove: ({ relatedPersons }, request, call) => relatedPersons.deleteRelatedPerson(request, call),
  async history({ relatedPersons }, request, call) {
    const found = await relatedPersons.listRelatedPersonHistory(request, call);
    return { ...found, changes: found.changes.map(asChange) };
  },
  async changes({ relatedPersons }, request, call) {
    const found = await relatedPersons.listRelatedPersonChanges(request, call);
    return { ...found, changes: found.changes.map(asChange) };
  },
  async search({ relatedPersons }, request, call) {
    const parameters = [...request.parameters];
    const found = await relatedPersons.searchRelatedPersons({ ...request, parameters }, call);
    return { ...found, resources: found.relatedPersons };
  },
};

function asChange<Rest extends object>({
  relatedPerson,
  ...rest
}: Rest & { relatedPerson?: RelatedPerson | undefined }) {
  return { ...rest, resource: relatedPerson };
}

export const relatedPersonType: StoredType<RelatedPerson> = storedType(RelatedPersonSchema, calls, {
  liesWithPatient: true,
  summaryElements: [
    "identifier",
    "active",
    "patient",
    "relationship",
    "name",
    "telecom",
    "gender",
    "birthDate",
    "address",
  ],
  followed: ({ patient }) => [patient],
});
