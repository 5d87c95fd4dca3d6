import type { Meta } from "#proto/patientindex/v1/datatypes_pb.ts";
import { MpiError } from "../errors/index.ts";

/** Refuses a body whose id is not the one of the address (MPI-096). */
export function refuseOtherId(type: string, id: string, given: { readonly id?: string | undefined }): void {
  if (given.id !== undefined && given.id !== id) {
    throw new MpiError("ID_DIFFERS", { id: given.id }, { expression: [`${type}.id`] });
  }
}

/** Refuses (ABORTED) an etag that is not that of the current version; no etag fits every version. */
export function refuseOtherVersion(
  current: { readonly etag: string; readonly meta?: Meta | undefined },
  etag: string,
): void {
  if (etag === "" || opaque(etag) === opaque(current.etag)) return;
  throw new MpiError("VERSION_CONFLICT", { current: current.meta?.versionId ?? "" });
}

/** Refuses (ABORTED) a current version that has any of these etags. */
export function refuseVersions(
  current: { readonly etag: string; readonly meta?: Meta | undefined },
  etags: readonly string[],
): void {
  if (!etags.some((etag) => opaque(etag) === opaque(current.etag))) return;
  throw new MpiError("VERSION_CONFLICT", { current: current.meta?.versionId ?? "" });
}

/** W/"3" and "3" are the same version: every version differs in bytes, so the weak comparison loses nothing. */
function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}

/** The number of a version; 0, which none has, for what cannot be one. */
export function parseVersionId(versionId: string): number {
  return /^[1-9]\d{0,8}$/.test(versionId) ? Number(versionId) : 0;
}
