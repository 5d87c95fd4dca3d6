import type { Message } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Meta } from "#proto/patientindex/v1/datatypes_pb.ts";
import { ofLastInstant } from "../../src/time/last-instant.ts";
import type { FhirJson } from "../fhir/index.ts";
import { resourceText } from "./answer-form.ts";
import type { FhirRequest } from "./fhir-request.ts";
import { isNotModified, type Validators } from "./preconditions.ts";

/** What goes back to the client. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** When the resource was stored that it is about, where it is about one: Last-Modified knows no fractions of seconds. */
  readonly lastUpdated?: Timestamp | undefined;
  /** Nothing when undefined. */
  readonly body?: string;
  /** In place of the body where the answer becomes a part of another one. */
  readonly resource?: FhirJson;
}

/** A message of a resource that is stored: its version is in meta and etag. */
export type StoredResource = Message & {
  etag: string;
  readonly id?: string | undefined;
  readonly meta?: Meta | undefined;
};

/** A resource given as FHIR JSON, such as a Bundle, in the form that the request asks for; a part of an answer as it is. */
export function jsonAnswer(
  request: FhirRequest,
  status: number,
  json: FhirJson,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  if (request.isPart) return { status, headers, resource: json };
  const { contentType, text } = resourceText(json, request.answerForm);
  return { status, headers: { ...headers, "content-type": contentType }, body: text };
}

/** A stored resource with its validators; 304 without it when the client has this version already. */
export function storedAnswer<Resource extends StoredResource>(
  request: FhirRequest,
  resource: Resource,
  encode: (resource: Resource) => FhirJson,
): Answer {
  const lastUpdated = resource.meta?.lastUpdated;
  const validators = validatorsOf(resource);
  const headers = validatorHeaders(validators);
  if (isNotModified(request, validators)) return { status: 304, headers, lastUpdated };
  return { ...jsonAnswer(request, 200, encode(resource), headers), lastUpdated };
}

/** ETag and Last-Modified of a stored resource. */
export function versionHeaders(resource: StoredResource): Record<string, string> {
  return validatorHeaders(validatorsOf(resource));
}

/** The resource of a response; that it is missing is a fault of the core. */
export function present<Resource>(resource: Resource | undefined): Resource {
  if (resource === undefined) throw new TypeError("The core answered without a resource");
  return resource;
}

/** ETag and time of a stored resource. */
export function validatorsOf({ etag, meta }: StoredResource): Validators {
  return { etag, lastModified: meta?.lastUpdated ? timestampMs(meta.lastUpdated) : 0 };
}

function validatorHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return { etag, "last-modified": httpDate(lastModified) };
}

/** Resources of one answer mostly have the same instant. */
const httpDate = ofLastInstant((instant) => new Date(instant).toUTCString());
