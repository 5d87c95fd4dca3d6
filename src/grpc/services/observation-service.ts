import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import {
  ObservationChangeSchema,
  type ObservationService,
} from "#proto/patientindex/v1/observation_service_pb.ts";
import {
  createDependent,
  type DependentChange,
  type DependentIndex,
  deleteDependent,
  dependentsMeant,
  listDependentHistory,
  readDependent,
  readDependentVersion,
  searchDependents,
  updateDependent,
} from "../../dependents/index.ts";
import type { ErrorSystems } from "../../errors/index.ts";
import { foundPage } from "./found-page.ts";
import { listRequest } from "./requests.ts";
import { searching } from "./searching.ts";

/** ObservationService on the use cases of dependents. */
export function observationService(
  index: DependentIndex<Observation>,
  systems: ErrorSystems,
): ServiceImpl<typeof ObservationService> {
  return {
    async readObservation({ id, elements }) {
      return { observation: await readDependent(index, id, elements) };
    },
    async readObservationVersion({ id, versionId, elements }) {
      return { observation: await readDependentVersion(index, id, versionId, elements) };
    },
    async createObservation({ observation }) {
      return { observation: await createDependent(index, observation ?? nothing()) };
    },
    async updateObservation({ id, observation }) {
      return { observation: await updateDependent(index, id, observation ?? nothing()) };
    },
    async deleteObservation({ id, etag }) {
      return { etag: (await deleteDependent(index, id, etag)).etag };
    },
    async listObservationHistory({ id, ...request }) {
      const { changes, total, nextPageToken } = await listDependentHistory(index, id, listRequest(request));
      return { changes: changes.map(observationChange), totalSize: BigInt(total), nextPageToken };
    },
    async searchObservations(request, context) {
      const found = await searching(request, (parameters) =>
        request.condition
          ? dependentsMeant(index, parameters)
          : searchDependents(index, parameters, request.lenient),
      );
      return { observations: found.resources, ...foundPage(found, context, systems) };
    },
  };
}

function nothing(): Observation {
  return create(ObservationSchema);
}

function observationChange({ resource, interaction, author }: DependentChange<Observation>) {
  return create(ObservationChangeSchema, {
    observation: resource,
    interaction,
    ...(author && { author }),
  });
}
