import { Code, ConnectError } from "@connectrpc/connect";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { MpiError } from "../../../src/errors/index.ts";
import {
  type Answer,
  jsonAnswer,
  present,
  type StoredResource,
  validatorsOf,
  versionHeaders,
} from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { refuseOtherVersion, refuseUnmatched, versionToReplace } from "../../exchange/preconditions.ts";
import { creationCriteria, ownParameters } from "../../exchange/query.ts";
import { jsonBody } from "../../exchange/resource-body.ts";
import { malformedHeader } from "../../outcome/http-faults.ts";
import { doneOutcome } from "../../outcome/operation-outcome.ts";
import { type ApplyPatch, patchBody } from "../../patch/patch-body.ts";
import { headerText } from "../../transport/header-text.ts";
import { doingAnew } from "../doing-anew.ts";
import { creatingOnce, onlyMatch } from "./conditions.ts";
import type { StoredType } from "./stored-type.ts";

/** Stores a new resource; under If-None-Exist only when nothing fits that, else the one that fits is the answer. */
export async function create<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const given = type.decode(jsonBody(request), request);
  const condition = request.headers["if-none-exist"];
  if (condition === undefined) {
    const created = await type.calls.create(request.gateway.core, given, request.call);
    return creationAnswer(type, request, present(created));
  }
  const criteria = creationCriteria(type.name, conditionText(request, String(condition)), request);
  const creation = await creatingOnce(type, request, criteria, ChangeInteraction.CREATE, () => given);
  if ("created" in creation) return creationAnswer(type, request, creation.created);
  return writtenAnswer(type, request, 200, creation.existing);
}

/** The text of If-None-Exist: one query, for several lines could mean several resources. An entry of a Bundle has it as it is. */
function conditionText(request: FhirRequest, condition: string): string {
  if (request.isRepeated("if-none-exist")) throw malformedHeader("if-none-exist");
  return request.isPart ? condition : headerText(condition);
}

/** Replaces a resource. */
export async function update<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  return replace(type, request, request.params["id"] ?? "", type.decode(jsonBody(request), request));
}

/** Replaces the resource that fits the query; stores a new one when none does. */
export async function updateByQuery<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const given = type.decode(jsonBody(request), request);
  const ofNobody = () => {
    refuseUnmatched(request.headers);
    refuseGivenId(type, given);
    return given;
  };
  const criteria = ownParameters(request);
  const creation = await creatingOnce(type, request, criteria, ChangeInteraction.UPDATE, ofNobody);
  if ("created" in creation) return creationAnswer(type, request, creation.created);
  const { existing } = creation;
  return replace(type, request, existing.id ?? "", given, existing);
}

/** Where nothing fits the condition, a body with an id is refused: clients do not choose ids. */
function refuseGivenId<Resource extends StoredResource>(
  { name }: StoredType<Resource>,
  { id }: Resource,
): void {
  if (id !== undefined) throw new MpiError("ID_DIFFERS", { id }, { expression: [`${name}.id`] });
}

/** Deletes a resource; once deleted it stays so. */
export async function remove<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  return removeOne(type, request, request.params["id"] ?? "");
}

/** Deletes the resource that fits the query; that none does is as good as deleted. */
export async function removeByQuery<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const match = await onlyMatch(type, request, ownParameters(request), ChangeInteraction.DELETE);
  return match?.id === undefined ? { status: 204, headers: {} } : removeOne(type, request, match.id, match);
}

async function removeOne<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  id: string,
  known?: Resource,
): Promise<Answer> {
  const removal = { id, etag: await replaceable(type, request, ChangeInteraction.DELETE, id, known) };
  const removed = await type.calls.remove?.(request.gateway.core, removal, request.call);
  return { status: 204, headers: { etag: present(removed).etag } };
}

/** Changes a resource by a patch. Without a condition the patch is done to whatever version is there in the end. */
export async function patch<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const applyPatch = patchBody(request);
  return doingAnew(request, () => patchCurrent(type, request, applyPatch), isConflict);
}

async function patchCurrent<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  applyPatch: ApplyPatch,
): Promise<Answer> {
  const { core } = request.gateway;
  const { id = "" } = request.params;
  const write = ChangeInteraction.UPDATE;
  const current = present(await type.calls.read(core, { id, elements: [], write }, request.call));
  const wanted = await replaceable(type, request, write, id, current);
  // Before the patch is tried: it may be one of another version.
  refuseOtherVersion(wanted, current);
  const next = type.decode(applyPatch(type.encode(current)), request);
  next.etag = wanted || current.etag;
  return writtenAnswer(type, request, 200, present(await type.calls.update(core, id, next, request.call)));
}

/** The answer to a request that has stored a new resource. */
export function creationAnswer<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  stored: Resource,
): Answer {
  return writtenAnswer(type, request, 201, stored);
}

async function replace<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  id: string,
  given: Resource,
  known?: Resource,
): Promise<Answer> {
  given.etag = await replaceable(type, request, ChangeInteraction.UPDATE, id, known);
  const stored = present(await type.calls.update(request.gateway.core, id, given, request.call));
  return writtenAnswer(type, request, 200, stored);
}

/** The version that the conditions of the request let be replaced; empty for any. */
async function replaceable<Resource extends StoredResource>(
  { calls }: StoredType<Resource>,
  { headers, gateway, call }: FhirRequest,
  write: ChangeInteraction,
  id: string,
  known: Resource | undefined,
): Promise<string> {
  return versionToReplace(headers, async () =>
    validatorsOf(known ?? present(await calls.read(gateway.core, { id, elements: [], write }, call))),
  );
}

function isConflict(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Aborted;
}

/** The answer to a write, with as much in it as Prefer asks for. */
function writtenAnswer<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  status: number,
  resource: Resource,
): Answer {
  const location = `${request.base}/${type.name}/${resource.id}/_history/${resource.meta?.versionId}`;
  const headers = { ...versionHeaders(resource), location };
  const lastUpdated = resource.meta?.lastUpdated;
  switch (request.preferences.return) {
    case "minimal":
      return { status, headers, lastUpdated };
    case "OperationOutcome":
      return { ...jsonAnswer(request, status, doneOutcome(request.language), headers), lastUpdated };
    case "representation":
      return { ...jsonAnswer(request, status, type.encode(resource), headers), lastUpdated };
  }
}
