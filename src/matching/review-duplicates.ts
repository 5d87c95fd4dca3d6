import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type CatalogueVersion, MpiError } from "../errors/index.ts";
import { type Linkage, linkPatients } from "../linkage/index.ts";
import { readPatient } from "../patients/index.ts";
import { malformed, pageSize, patientNumber } from "../resources/index.ts";
import type {
  CandidatePair,
  DuplicatePosition,
  DuplicateState,
  DuplicateStore,
  PossibleDuplicate,
} from "./ports.ts";

/** What the review works with. */
export interface DuplicateReview {
  readonly linkage: Linkage;
  readonly duplicates: DuplicateStore;
}

export interface DuplicatesPage {
  readonly duplicates: readonly PossibleDuplicate[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly total: number;
}

/** Possible duplicates of a state, the most likely first (MPI-096 for a page token that is none). */
export async function listDuplicates(
  { duplicates }: DuplicateReview,
  request: { readonly state: DuplicateState; readonly pageSize: number; readonly pageToken: string },
): Promise<DuplicatesPage> {
  const { state } = request;
  const size = pageSize(request.pageSize);
  const found = await duplicates.list(state, parseToken(state, request.pageToken), size);
  const page = found.slice(0, size);
  const last = page.at(-1);
  return {
    duplicates: page,
    nextPageToken: found.length > size && last ? tokenOf(state, last) : "",
    total: await duplicates.count(state),
  };
}

/**
 * Notes that two patients are two people; refused for a pair that no scan found (MPI-021), and for a linked one: whoever
 * links them while that is looked at takes the pair out of the review, so it is looked at again.
 */
export async function dismissDuplicate(
  { linkage, duplicates }: DuplicateReview,
  patientId: string,
  otherId: string,
): Promise<PossibleDuplicate> {
  const pair = pairOf(patientId, otherId);
  for (;;) {
    const standing = (await duplicates.standing(pair)) ?? unknownPair();
    if (await areLinked(linkage, pair)) throw new MpiError("DUPLICATES_LINKED");
    const dismissed = await duplicates.decide(pair, "dismissed", linkage.patients.now(), standing);
    if (dismissed) return dismissed;
  }
}

/**
 * Links two patients, the source below the target, and notes that they are one person; refused as the linkage refuses.
 * Called again after it broke off between the two it only notes it.
 */
export async function confirmDuplicate(
  { linkage, duplicates }: DuplicateReview,
  sourceId: string,
  targetId: string,
  version: CatalogueVersion,
): Promise<Patient> {
  const pair = pairOf(sourceId, targetId);
  if ((await duplicates.standing(pair)) === undefined) unknownPair();
  const target = (await areLinked(linkage, pair))
    ? await readPatient(linkage.patients, targetId, [])
    : await linkPatients(linkage, { source: selector(sourceId), target: selector(targetId) }, version);
  await duplicates.decide(pair, "confirmed", linkage.patients.now());
  return target;
}

async function areLinked({ patients }: Linkage, { id, otherId }: CandidatePair): Promise<boolean> {
  return (await patients.store.group(id)).includes(otherId);
}

function selector(id: string) {
  return { $typeName: "patientindex.v1.PatientSelector" as const, id, identifiers: [] };
}

function pairOf(one: string, other: string): CandidatePair {
  const [id, otherId] = [patientNumber(one), patientNumber(other)];
  if (id === undefined || otherId === undefined) return unknownPair();
  return id < otherId ? { id, otherId } : { id: otherId, otherId: id };
}

function unknownPair(): never {
  throw new MpiError("PATIENT_NOT_FOUND");
}

/** Good for the duplicates of that state alone. */
function tokenOf(state: DuplicateState, { score, id, otherId }: DuplicatePosition): string {
  return Buffer.from(`${score} ${id} ${otherId} ${state}`, "utf8").toString("base64url");
}

function parseToken(state: DuplicateState, token: string): DuplicatePosition | undefined {
  if (token === "") return undefined;
  const text = Buffer.from(token, "base64url").toString("utf8");
  const [, score = "", id = "", otherId = "", named] =
    /^([\d.e-]{1,30}) (\d{1,18}) (\d{1,18}) (\w+)$/.exec(text) ?? [];
  const position = { score: Number(score), id: BigInt(id), otherId: BigInt(otherId) };
  if (named !== state || Number.isNaN(position.score)) {
    throw malformed("page_token");
  }
  return position;
}
