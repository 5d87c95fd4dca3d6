import { AuditEventSchema } from "#proto/patientindex/v1/audit_event_pb.ts";
import { withRelativeReferences } from "../../src/references/index.ts";
import { linksByToken } from "../bundle/links.ts";
import { urnOfUrl } from "../bundle/name-uuid.ts";
import { linkedSearchset } from "../bundle/searchset.ts";
import { type Answer, jsonAnswer } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { ownParameters } from "../exchange/query.ts";
import { encodeResource } from "../fhir/index.ts";
import { usedParameters } from "./resource/searching.ts";

const resourceType = "AuditEvent";
const path = "/AuditEvent";

/** The audit trail, which can be searched and nothing else. */
export const auditInteractions: readonly Interaction[] = [
  { code: "search-type", resourceType, method: "GET", path, parameters: "core", handle: search },
  {
    code: "search-type",
    resourceType,
    method: "POST",
    path: `${path}/_search`,
    body: "form",
    parameters: "core",
    handle: search,
  },
];

async function search(request: FhirRequest): Promise<Answer> {
  const given = ownParameters(request);
  const lenient = request.preferences.handling === "lenient";
  const { audit } = request.gateway.core;
  const parameters = withRelativeReferences(given, request);
  const found = await audit.searchAuditEvents({ parameters, lenient }, request.call);
  const url = `${request.base}${path}`;
  const { issues, nextPageToken, totalSize } = found;
  const matches = found.auditEvents.map((event) => encodeResource(AuditEventSchema, event));
  // Every look at the trail adds to it, so a page is where the one before ended, not a number.
  const links = linksByToken(url, usedParameters(given, issues), nextPageToken);
  const page = { total: Number(totalSize), matches, issues };
  return jsonAnswer(request, 200, linkedSearchset(page, links, fullUrlIn(url)));
}

/** An entry cannot be read by its id, so no address is claimed for it. */
function fullUrlIn(url: string): (id: string) => string {
  return (id) => urnOfUrl(`${url}/${id}`);
}
