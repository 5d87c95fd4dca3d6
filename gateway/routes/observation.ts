import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { type StoredCalls, type StoredType, storedType } from "./resource/stored-type.ts";

const calls: StoredCalls<Observation> = {
  read: async ({ observations }, request, call) =>
    (await observations.readObservation(request, call)).observation,
  readVersion: async ({ observations }, request, call) =>
    (await observations.readObservationVersion(request, call)).observation,
  create: async ({ observations }, observation, call) =>
    (await observations.createObservation({ observation }, call)).observation,
  update: async ({ observations }, id, observation, call) =>
    (await observations.updateObservation({ id, observation }, call)).observation,
  remove: ({ observations }, request, call) => observations.deleteObservation(request, call),
  async history({ observations }, request, call) {
    const found = await observations.listObservationHistory(request, call);
    const changes = found.changes.map(({ observation, ...change }) => ({ ...change, resource: observation }));
    return { ...found, changes };
  },
  async search({ observations }, request, call) {
    const parameters = [...request.parameters];
    const found = await observations.searchObservations({ ...request, parameters }, call);
    return { ...found, resources: found.observations };
  },
};

export const observationType: StoredType<Observation> = storedType(ObservationSchema, calls, {
  liesWithPatient: true,
  summaryElements: [
    "identifier",
    "instantiates",
    "basedOn",
    "partOf",
    "status",
    "code",
    "subject",
    "focus",
    "encounter",
    "effective",
    "issued",
    "performer",
    "value",
    "hasMember",
    "derivedFrom",
    "component",
  ],
  followed: ({ subject, focus }) => [subject, ...focus],
});
