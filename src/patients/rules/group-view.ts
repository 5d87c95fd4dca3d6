import { create, equals } from "@bufbuild/protobuf";
import {
  type Identifier,
  IdentifierSchema,
  PeriodSchema,
  ReferenceSchema,
} from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, type Patient_Link, Patient_LinkSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { isReversedPeriod } from "../../content-rules/index.ts";
import { instantSpan, instantText } from "../../time/fhir-date.ts";
import type { GroupMember, PlaceInGroup, StoredPatient } from "../ports.ts";

/** An identifier in the view of a patient, with the times at which it came there and was overtaken. */
interface Viewed {
  readonly identifier: Identifier;
  readonly holder: bigint;
  /** When its holder came below the patient whose view it is; of its own ones the beginning of time. */
  joinedAt: number;
  /** When it came beside another patient's identifier of the same system. */
  overtakenAt: number | undefined;
}

/** What a patient shows of itself and of those below it, in the order in which it came. */
interface View {
  readonly all: readonly Viewed[];
  /** Those that are not overtaken: each is the first of its system. */
  readonly standing: readonly Viewed[];
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
  return viewOf(id, patient.identifier, group.members)
    .filter(({ holder }) => holder !== id)
    .map(({ identifier, overtakenAt }) =>
      overtakenAt === undefined ? identifier : endedAt(identifier, new Date(overtakenAt)),
    );
}

/**
 * Whether a primary shows just what it shows now when a member of its group holds other identifiers. Of a group with
 * members that do not open it cannot be told.
 */
export function showsTheSame(
  { patient, group }: StoredPatient,
  memberId: bigint,
  identifiers: readonly Identifier[],
): boolean {
  if (group?.role !== "primary" || group.members.some(({ isUnreadable }) => isUnreadable)) return false;
  const members = group.members.map((member) =>
    member.id === memberId ? { ...member, identifiers } : member,
  );
  return areSameIdentifiers(
    othersIdentifiers(patient, group),
    othersIdentifiers(patient, { ...group, members }),
  );
}

/** Whether they are the same identifiers in the same order, with all that is said of them. */
export function areSameIdentifiers(some: readonly Identifier[], others: readonly Identifier[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, place) => {
      const other = others[place];
      return other !== undefined && equals(IdentifierSchema, one, other);
    })
  );
}

/** The views of the patients below come first: so a group may be as deep as it is large. */
function viewOf(id: bigint, own: readonly Identifier[], members: readonly GroupMember[]): readonly Viewed[] {
  const below = Map.groupBy([...members].sort(byTime), ({ linkedTo }) => linkedTo);
  const views = new Map<bigint, View>();
  for (const member of fromTop(id, below).reverse()) {
    views.set(member.id, joined(member.id, member.identifiers, below.get(member.id) ?? [], views));
  }
  return joined(id, own, below.get(id) ?? [], views).all;
}

/** Everybody below a patient, each behind the one that it is linked to. */
function fromTop(id: bigint, below: ReadonlyMap<bigint, readonly GroupMember[]>): GroupMember[] {
  const found = [...(below.get(id) ?? [])];
  for (const member of found) found.push(...(below.get(member.id) ?? []));
  return found;
}

/** The view of a patient from those of the members that are linked to it, in the order in which these were linked. */
function joined(
  holder: bigint,
  own: readonly Identifier[],
  linked: readonly GroupMember[],
  views: ReadonlyMap<bigint, View>,
): View {
  const mine = own.map(
    (identifier): Viewed => ({
      identifier,
      holder,
      joinedAt: Number.NEGATIVE_INFINITY,
      overtakenAt: undefined,
    }),
  );
  const theirs = linked.map(({ id, linkedAt }) => {
    const view = views.get(id) ?? { all: [], standing: [] };
    for (const one of view.all) one.joinedAt = Math.max(one.joinedAt, linkedAt.getTime());
    return view;
  });
  return {
    all: [...mine, ...inOrder(theirs.map(({ all }) => all))],
    standing: overtaking([...mine, ...inOrder(theirs.map(({ standing }) => standing))]),
  };
}

/** Each of the lists is in the order of joining already. */
function inOrder(lists: readonly (readonly Viewed[])[]): readonly Viewed[] {
  const [only = [], another] = lists;
  return another ? lists.flat().sort((one, other) => one.joinedAt - other.joinedAt) : only;
}

/** Notes which of these, in the order in which they came, come after one of the same system and another holder; leaves the others. */
function overtaking(viewed: readonly Viewed[]): Viewed[] {
  const firstHolder = new Map<string, bigint>();
  return viewed.filter((one) => {
    const system = one.identifier.system ?? "";
    const first = firstHolder.get(system) ?? one.holder;
    firstHolder.set(system, first);
    if (first !== one.holder) one.overtakenAt = one.joinedAt;
    return first === one.holder;
  });
}

function endedAt(identifier: Identifier, end: Date): Identifier {
  const own = instantSpan(identifier.period?.end ?? "");
  if (own && own.to <= end) return identifier;
  const period = { ...(identifier.period ?? create(PeriodSchema)), end: instantText(end) };
  if (!isReversedPeriod(period)) return { ...identifier, period };
  // What would begin after it has ended never holds (R5, per-1).
  return { ...identifier, period: { ...period, start: undefined, startElement: undefined } };
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
