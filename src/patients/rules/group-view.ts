import { create } from "@bufbuild/protobuf";
import { type Identifier, PeriodSchema, ReferenceSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, type Patient_Link, Patient_LinkSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { instantSpan, instantText } from "../../time/fhir-date.ts";
import type { GroupMember, PlaceInGroup } from "../ports.ts";

/** An identifier in the view of a primary, with the times at which it came there and was overtaken. */
interface Viewed {
  readonly identifier: Identifier;
  readonly holder: bigint;
  /** When its holder came below the patient whose view it is; of its own ones the beginning of time. */
  readonly joinedAt: number;
  /** When it came beside another patient's identifier of the same system. */
  readonly overtakenAt: number | undefined;
}

/** The links that a patient shows: a primary replaces every other member, a secondary is replaced by the primary. */
export function linksOf(group: PlaceInGroup): Patient_Link[] {
  if (group.role === "secondary") return [linkTo(group.primaryId, "replaced-by")];
  return [...group.members].sort(byId).map(({ id }) => linkTo(id, "replaces"));
}

/** The identifiers that a patient shows: a primary those of the whole group, its own first. */
export function viewedIdentifiers(patient: Patient, group: PlaceInGroup): Identifier[] {
  if (group.role === "secondary") return patient.identifier;
  return [...patient.identifier, ...othersIdentifiers(patient, group)];
}

/**
 * The identifiers of other members that a primary shows, in the order in which they came. One that came beside
 * another member's identifier of the same system ended at that time: of each two members that met, the one linked
 * below the other, else the one that came later. The view follows from the tree alone, so that unlinking undoes
 * linking.
 */
export function othersIdentifiers(patient: Patient, group: PlaceInGroup | undefined): Identifier[] {
  if (group?.role !== "primary") return [];
  const id = BigInt(patient.id ?? "");
  const below = Map.groupBy([...group.members].sort(byTime), ({ linkedTo }) => linkedTo);
  return viewOf(id, patient.identifier, below)
    .filter(({ holder }) => holder !== id)
    .map(({ identifier, overtakenAt }) =>
      overtakenAt === undefined ? identifier : endedAt(identifier, new Date(overtakenAt)),
    );
}

function viewOf(
  id: bigint,
  own: readonly Identifier[],
  below: ReadonlyMap<bigint, readonly GroupMember[]>,
): Viewed[] {
  const mine = own.map((identifier) => ({
    identifier,
    holder: id,
    joinedAt: Number.NEGATIVE_INFINITY,
    overtakenAt: undefined,
  }));
  const theirs = (below.get(id) ?? []).flatMap((member) =>
    viewOf(member.id, member.identifiers, below).map((viewed) => ({
      ...viewed,
      joinedAt: Math.max(viewed.joinedAt, member.linkedAt.getTime()),
    })),
  );
  return overtaken([...mine, ...theirs.sort((one, other) => one.joinedAt - other.joinedAt)]);
}

/** Notes which of these, in the order in which they came, come after one of the same system and another holder. */
function overtaken(viewed: readonly Viewed[]): Viewed[] {
  const firstHolder = new Map<string, bigint>();
  return viewed.map((one) => {
    const system = one.identifier.system ?? "";
    const first = firstHolder.get(system);
    if (first === undefined) firstHolder.set(system, one.holder);
    if (first === undefined || first === one.holder || one.overtakenAt !== undefined) return one;
    return { ...one, overtakenAt: one.joinedAt };
  });
}

function endedAt(identifier: Identifier, end: Date): Identifier {
  const own = instantSpan(identifier.period?.end ?? "");
  if (own && own.to <= end) return identifier;
  const period = { ...(identifier.period ?? create(PeriodSchema)), end: instantText(end) };
  return { ...identifier, period };
}

function linkTo(id: bigint, type: "replaces" | "replaced-by"): Patient_Link {
  const other = create(ReferenceSchema, { reference: `Patient/${id}` });
  return create(Patient_LinkSchema, { other, type });
}

function byId(one: GroupMember, other: GroupMember): number {
  return one.id < other.id ? -1 : 1;
}

function byTime(one: GroupMember, other: GroupMember): number {
  return one.linkedAt.getTime() - other.linkedAt.getTime() || byId(one, other);
}
