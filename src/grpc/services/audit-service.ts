import type { ServiceImpl } from "@connectrpc/connect";
import type { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { type AuditIndex, searchAuditEvents } from "../../audit/index.ts";
import type { ErrorSystems } from "../../errors/index.ts";
import { searching } from "./searching.ts";
import { shownIssues } from "./shown-issues.ts";

/** AuditService on the search of the audit trail. */
export function auditService(index: AuditIndex, systems: ErrorSystems): ServiceImpl<typeof AuditService> {
  return {
    async searchAuditEvents(request, context) {
      const found = await searching(request, (parameters) =>
        searchAuditEvents(index, parameters, request.lenient),
      );
      return {
        auditEvents: found.events,
        nextPageToken: found.nextPageToken,
        totalSize: BigInt(found.total),
        issues: shownIssues(found.notes, context, systems),
      };
    },
  };
}
