import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Meta, MetaSchema } from "#proto/patientindex/v1/datatypes_pb.ts";

/** What every stored resource has of its version. */
export interface VersionedResource {
  id?: string | undefined;
  meta?: Meta | undefined;
  etag: string;
}

export interface Stamp {
  /** The public id. */
  readonly id: bigint;
  readonly version: number;
  readonly updatedAt: Date;
}

/** Sets on a resource, in place, what the store gives to each version. */
export function stamped<Resource extends VersionedResource>(resource: Resource, stamp: Stamp): Resource {
  resource.id = String(stamp.id);
  resource.meta ??= create(MetaSchema);
  resource.meta.versionId = String(stamp.version);
  resource.meta.lastUpdated = timestampFromDate(stamp.updatedAt);
  resource.etag = `W/"${stamp.version}"`;
  return resource;
}

/** A copy without what the store gives to each version. */
export function unstamped<Resource extends VersionedResource>(resource: Resource): Resource {
  const { meta } = resource;
  // Not by delete: an object that has lost a member is slow in all that is done with it.
  return {
    ...resource,
    id: undefined,
    etag: "",
    ...(meta && { meta: { ...meta, versionId: undefined, lastUpdated: undefined } }),
  };
}
