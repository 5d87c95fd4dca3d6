import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import type { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import type { ErrorSystems } from "../../errors/index.ts";
import {
  type HistoryAnswer,
  listEducations,
  listLegalGuardians,
  listLegalRelationships,
  listLegalStatuses,
  listOccupations,
  listPatientDisabilities,
  listPowersOfAttorney,
  listWorkIncapacities,
  readPatientName,
  type SocialHistory,
} from "../../social-history/index.ts";
import { shownIssues } from "./shown-issues.ts";

type List = (history: SocialHistory, parameters: readonly SearchParameter[]) => Promise<HistoryAnswer>;

/** SocialHistoryService on the social-history operations. */
export function socialHistoryService(
  history: SocialHistory,
  systems: ErrorSystems,
): ServiceImpl<typeof SocialHistoryService> {
  const listing =
    (list: List) =>
    async ({ parameters }: { readonly parameters: SearchParameter[] }, context: HandlerContext) => {
      const { observations, notes } = await list(history, parameters);
      return { observations, issues: shownIssues(notes, context, systems) };
    };
  return {
    listLegalStatuses: listing(listLegalStatuses),
    listLegalGuardians: listing(listLegalGuardians),
    listLegalRelationships: listing(listLegalRelationships),
    listPowersOfAttorney: listing(listPowersOfAttorney),
    listEducations: listing(listEducations),
    listPatientDisabilities: listing(listPatientDisabilities),
    listWorkIncapacities: listing(listWorkIncapacities),
    listOccupations: listing(listOccupations),
    async readPatientName({ parameters }, context) {
      const { name, notes } = await readPatientName(history, parameters);
      return { name, issues: shownIssues(notes, context, systems) };
    },
  };
}
