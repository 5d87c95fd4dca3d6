import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import type { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import type { StoredResource } from "../../exchange/answer.ts";
import type { Core } from "../../exchange/core.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { makeRelative } from "../../exchange/local-references.ts";
import type { Parameter } from "../../exchange/query.ts";
import { resourceOf } from "../../exchange/resource-body.ts";
import { encodeResource, type FhirJson, type JsonValue } from "../../fhir/index.ts";
import type { HistoryPage } from "./history-parameters.ts";

/** A version of a resource with how it came about; of a deletion only id, meta and etag. */
export interface Change<Resource> {
  readonly resource: Resource | undefined;
  readonly interaction: ChangeInteraction;
  /** Unset where it is not known. */
  readonly author?: Author | undefined;
  /** Why the version cannot be shown; none when it can. */
  readonly issues?: readonly Issue[];
}

/** Some versions, as the core lists them. */
export interface Changes<Resource> {
  readonly changes: readonly Change<Resource>[];
  readonly totalSize: bigint;
  readonly nextPageToken: string;
}

/** A page of resources, as the core found them. */
export interface Found<Resource> {
  readonly resources: readonly Resource[];
  readonly nextPageToken: string;
  readonly totalSize: bigint;
  readonly page: number;
  readonly pageSize: number;
  readonly issues: readonly Issue[];
}

export interface Search {
  readonly parameters: readonly Parameter[];
  readonly lenient?: boolean;
  /** Of a write: says how many resources are meant, and nothing of its result. */
  readonly condition?: boolean;
  /** That write: the caller needs the right to it too. */
  readonly write?: ChangeInteraction;
}

/**
 * Stores several new resources, each as if it came alone: as it is stored, with id, meta and etag alone if no more is
 * wanted, or what it was refused with.
 */
export type CreateTogether<Resource> = (
  core: Core,
  resources: readonly Resource[],
  identityOnly: boolean,
  call: CallOptions,
) => Promise<readonly (Resource | Error)[]>;

/** The calls of the core by which resources of a type are read and written; each service names them its own way. */
export interface StoredCalls<Resource> {
  read(
    core: Core,
    request: { readonly id: string; readonly elements: string[]; readonly write?: ChangeInteraction },
    call: CallOptions,
  ): Promise<Resource | undefined>;
  readVersion(
    core: Core,
    request: { readonly id: string; readonly versionId: string; readonly elements: string[] },
    call: CallOptions,
  ): Promise<Resource | undefined>;
  create(core: Core, resource: Resource, call: CallOptions): Promise<Resource | undefined>;
  /** Only of types that are loaded in bulk. */
  readonly createTogether?: CreateTogether<Resource>;
  update(core: Core, id: string, resource: Resource, call: CallOptions): Promise<Resource | undefined>;
  /** Only of types that can be deleted. */
  remove?(
    core: Core,
    request: { readonly id: string; readonly etag: string },
    call: CallOptions,
  ): Promise<{ readonly etag: string }>;
  history(
    core: Core,
    request: HistoryPage & { readonly id: string },
    call: CallOptions,
  ): Promise<Changes<Resource>>;
  /** Only of types with a change feed. */
  changes?(
    core: Core,
    request: HistoryPage,
    call: CallOptions,
  ): Promise<Changes<Resource> & { readonly hasMore: boolean }>;
  search(core: Core, search: Search, call: CallOptions): Promise<Found<Resource>>;
}

/** A type of resource that the core stores with its versions. */
export interface StoredType<Resource extends StoredResource> {
  /** FHIR name, such as Patient. */
  readonly name: string;
  /** What R5 marks as summary, for `_summary=true`. */
  readonly summaryElements: readonly string[];
  /** It is written under the lock of its patient; nothing of it is unique. */
  readonly liesWithPatient: boolean;
  readonly calls: StoredCalls<Resource>;
  encode(resource: Resource): FhirJson;
  /** A resource out of the JSON of a request; refused with everything that is wrong with its structure. */
  decode(json: JsonValue, request: Pick<FhirRequest, "bases" | "refersToParts">): Resource;
}

export type WhatToShow = Pick<StoredType<StoredResource>, "summaryElements">;

/** What a type has beside its schema and its calls. */
interface Traits<Resource> extends WhatToShow {
  readonly liesWithPatient?: boolean;
  /** The references of a resource that the index follows. */
  followed?(resource: Resource): readonly (Reference | undefined)[];
}

/** A type by the schema of its messages, which bears its name. */
export function storedType<Desc extends DescMessage, Resource extends StoredResource & MessageShape<Desc>>(
  schema: Desc,
  calls: StoredCalls<Resource>,
  { summaryElements, liesWithPatient = false, followed = () => [] }: Traits<Resource>,
): StoredType<Resource> {
  return {
    summaryElements,
    liesWithPatient,
    name: schema.name,
    calls,
    encode: (resource) => encodeResource(schema, resource),
    decode(json, request) {
      const resource = resourceOf(schema, json) as Resource;
      if (!request.refersToParts) makeRelative(followed(resource), request);
      return resource;
    },
  };
}
