import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { type Linkage, linkPatients, readLinkGroup, unlinkPatients } from "../../linkage/index.ts";
import { callContextOf } from "../calls/call-context.ts";

/** LinkageService on the use cases of linkage. */
export function linkageService(linkage: Linkage): ServiceImpl<typeof LinkageService> {
  return {
    async linkPatients(selectors, context) {
      return { target: await linkPatients(linkage, selectors, callContextOf(context).version) };
    },
    async unlinkPatients(selectors, context) {
      return { released: await unlinkPatients(linkage, selectors, callContextOf(context).version) };
    },
    async readLinkGroup({ patientId, asOf }) {
      const { primaryId, links } = await readLinkGroup(linkage, patientId, asOf && timestampDate(asOf));
      return {
        group: {
          primaryId: String(primaryId),
          links: links.map((link) => ({
            secondaryId: String(link.secondaryId),
            primaryId: String(link.primaryId),
            linkedAt: timestampFromDate(link.linkedAt),
          })),
        },
      };
    },
  };
}
