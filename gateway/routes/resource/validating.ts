import { create } from "@bufbuild/protobuf";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import {
  type TransactionEntry,
  TransactionEntrySchema,
  type ValidateEntryResponse,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { MpiError, renderError } from "../../../src/errors/index.ts";
import { type Answer, jsonAnswer, present, type StoredResource } from "../../exchange/answer.ts";
import { beginCaptured } from "../../exchange/begin-captured.ts";
import type { Core } from "../../exchange/core.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import type { JsonValue } from "../../fhir/index.ts";
import { operationOutcomeOf, soundOutcome } from "../../outcome/operation-outcome.ts";
import type { StoredType } from "./stored-type.ts";
import { readValidation, type Validation } from "./validate-parameters.ts";

/** `$validate`: all that would be wrong with a write as an OperationOutcome, 200 either way; nothing is stored. */
export async function validate<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const { issues, omittedIssues } = await findingsOf(type, request);
  const { language } = request;
  return jsonAnswer(
    request,
    200,
    issues.length > 0 ? operationOutcomeOf(issues, omittedIssues, language) : soundOutcome(language),
  );
}

/** What is wrong, and how much of it is left out. */
type Findings = Pick<ValidateEntryResponse, "issues" | "omittedIssues">;

async function findingsOf<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Findings> {
  const { gateway, presentation, call } = request;
  const told = ({ error }: Unreadable) => renderError(error, presentation, Number.POSITIVE_INFINITY).details;
  const validation = validationOf(type, request);
  if ("error" in validation) return told(validation);
  const resource = await resourceOf(type, request, validation);
  if ("error" in resource) return told(resource);
  const entry = await entryOf(request, (core) => write(type, core, request, validation, resource.resource));
  return await gateway.core.transactions.validateEntry({ entry }, call);
}

interface Unreadable {
  readonly error: MpiError;
}

/** What is asked for. Faults of XML are found before it is known: those of a resource that is the body are an answer. */
function validationOf<Resource extends StoredResource>(
  { name }: StoredType<Resource>,
  request: FhirRequest,
): Validation | Unreadable {
  try {
    return readValidation(request);
  } catch (error) {
    if (error instanceof MpiError && error.issues.every((issue) => isWithin(name, issue))) return { error };
    throw error;
  }
}

function isWithin(type: string, issue: MpiError["issues"][number]): boolean {
  const { expression = [] } = "meaning" in issue ? issue : {};
  return expression.length > 0 && expression.every((element) => /^\w+/.exec(element)?.[0] === type);
}

type Decoded<Resource> = { readonly resource: Resource | undefined } | Unreadable;

/** The resource that was sent, or else the one that is stored; the faults of its structure are an answer too. */
async function resourceOf<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  { mode, profile, resource }: Validation,
): Promise<Decoded<Resource>> {
  if (mode === "delete") return { resource: undefined };
  const { gateway, params, call, hasBody } = request;
  const { id } = params;
  if (resource === undefined && id === undefined)
    throw hasBody ? resourceMissing() : new MpiError("BODY_MISSING");
  const write = mode === "create" ? ChangeInteraction.CREATE : ChangeInteraction.UPDATE;
  const decoded: Decoded<Resource> =
    resource === undefined
      ? {
          resource: present(await type.calls.read(gateway.core, { id: id ?? "", elements: [], write }, call)),
        }
      : decode(type, resource, request);
  if (profile === undefined || "error" in decoded || decoded.resource === undefined) return decoded;
  return { resource: claiming(type, decoded.resource, profile, request) };
}

/** Parameters that do not have it. */
function resourceMissing(): MpiError {
  const expression = ["Parameters.parameter.where(name='resource')"];
  return new MpiError("PARAMETER_REQUIRED", { param: "resource" }, { expression });
}

function decode<Resource extends StoredResource>(
  type: StoredType<Resource>,
  json: JsonValue,
  request: FhirRequest,
): Decoded<Resource> {
  try {
    return { resource: type.decode(json, request) };
  } catch (error) {
    if (error instanceof MpiError) return { error };
    throw error;
  }
}

/** The same resource, claiming the profile alone. */
function claiming<Resource extends StoredResource>(
  { encode, decode: read }: StoredType<Resource>,
  resource: Resource,
  profile: string,
  request: FhirRequest,
): Resource {
  const json = encode(resource);
  const meta = { ...(json["meta"] as Record<string, JsonValue> | undefined), profile: [profile] };
  return read({ ...json, meta }, request);
}

async function write<Resource extends StoredResource>(
  { calls, name }: StoredType<Resource>,
  core: Core,
  { params, call }: FhirRequest,
  { mode }: Validation,
  resource: Resource | undefined,
): Promise<unknown> {
  const { id = "" } = params;
  if (resource === undefined) {
    const interaction = `delete ${name}`;
    if (!calls.remove) throw new MpiError("INTERACTION_NOT_OFFERED", { interaction });
    return await calls.remove(core, { id, etag: "" }, call);
  }
  return await (mode === "create"
    ? calls.create(core, resource, call)
    : calls.update(core, id, resource, call));
}

/** What the write would ask of the core. */
async function entryOf(
  { gateway }: FhirRequest,
  ask: (core: Core) => Promise<unknown>,
): Promise<TransactionEntry> {
  const { call } = await beginCaptured({ transport: gateway.transport, interaction: "$validate" }, ask);
  return create(TransactionEntrySchema, { request: present(call).request });
}
