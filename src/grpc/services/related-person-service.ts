import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import {
  RelatedPersonChangeSchema,
  type RelatedPersonService,
} from "#proto/patientindex/v1/related_person_service_pb.ts";
import {
  createDependent,
  type DependentChange,
  type DependentIndex,
  deleteDependent,
  dependentsMeant,
  listDependentChanges,
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
import { shownChange } from "./shown-change.ts";

/** RelatedPersonService on the use cases of dependents. */
export function relatedPersonService(
  index: DependentIndex<RelatedPerson>,
  systems: ErrorSystems,
): ServiceImpl<typeof RelatedPersonService> {
  return {
    async readRelatedPerson({ id, elements }) {
      return { relatedPerson: await readDependent(index, id, elements) };
    },
    async readRelatedPersonVersion({ id, versionId, elements }) {
      return { relatedPerson: await readDependentVersion(index, id, versionId, elements) };
    },
    async createRelatedPerson({ relatedPerson }) {
      return { relatedPerson: await createDependent(index, relatedPerson ?? nobody()) };
    },
    async updateRelatedPerson({ id, relatedPerson }) {
      return { relatedPerson: await updateDependent(index, id, relatedPerson ?? nobody()) };
    },
    async deleteRelatedPerson({ id, etag }) {
      return { etag: (await deleteDependent(index, id, etag)).etag };
    },
    async listRelatedPersonHistory({ id, ...request }, context) {
      const { changes, total, nextPageToken } = await listDependentHistory(index, id, listRequest(request));
      return {
        changes: changes.map((change) => relatedPersonChange(change, context, systems)),
        totalSize: BigInt(total),
        nextPageToken,
      };
    },
    async listRelatedPersonChanges(request, context) {
      const found = await listDependentChanges(index, listRequest(request));
      const { changes, total, nextPageToken, hasMore } = found;
      return {
        changes: changes.map((change) => relatedPersonChange(change, context, systems)),
        totalSize: BigInt(total),
        nextPageToken,
        hasMore,
      };
    },
    async searchRelatedPersons(request, context) {
      const found = await searching(request, (parameters) =>
        request.condition
          ? dependentsMeant(index, parameters)
          : searchDependents(index, parameters, request.lenient),
      );
      return { relatedPersons: found.resources, ...foundPage(found, context, systems) };
    },
  };
}

function nobody(): RelatedPerson {
  return create(RelatedPersonSchema);
}

function relatedPersonChange(
  { resource, ...change }: DependentChange<RelatedPerson>,
  context: HandlerContext,
  systems: ErrorSystems,
) {
  return create(RelatedPersonChangeSchema, {
    relatedPerson: resource,
    ...shownChange(change, context, systems),
  });
}
