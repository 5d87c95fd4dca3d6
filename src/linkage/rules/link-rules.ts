import { type CatalogueVersion, type Fault, fault } from "../../errors/index.ts";
import type { LockedPair } from "../ports.ts";
import { at, type PairPlaces, type Side } from "./pair-places.ts";
import { patientKind } from "./patient-kind.ts";

interface LinkRule {
  /** Whose fault it is. */
  readonly of: readonly Side[];
  readonly broken: (pair: LockedPair) => boolean;
  /** What a version says to it; a version that is not named does not have the rule. */
  readonly says: Partial<Readonly<Record<CatalogueVersion, LinkFault>>>;
}

type LinkFault =
  | "LINK_TO_SELF"
  | "PRIMARY_PATIENT_UNKNOWN"
  | "SECONDARY_ALREADY_LINKED"
  | "SECONDARY_PATIENT_ESTONIAN"
  | "SOURCE_ALREADY_LINKED"
  | "TARGET_PATIENT_NOT_ACTIVE";

/** Spec rules.md, "Linkage": who may be linked below whom. */
const LINK_RULES: readonly LinkRule[] = [
  {
    of: ["source", "target"],
    broken: ({ source, target }) => source.id === target.id,
    says: { "1.5.0": "LINK_TO_SELF", "1.1.1": "LINK_TO_SELF" },
  },
  {
    of: ["source"],
    broken: ({ source }) => patientKind(source.systems) === "estonian",
    says: { "1.5.0": "SECONDARY_PATIENT_ESTONIAN", "1.1.1": "SECONDARY_PATIENT_ESTONIAN" },
  },
  {
    of: ["source"],
    broken: (pair) => isSecondary(pair) || closesCircle(pair),
    says: { "1.5.0": "SECONDARY_ALREADY_LINKED", "1.1.1": "SOURCE_ALREADY_LINKED" },
  },
  {
    of: ["target"],
    broken: ({ target }) => patientKind(target.systems) === "unknown",
    says: { "1.5.0": "PRIMARY_PATIENT_UNKNOWN", "1.1.1": "PRIMARY_PATIENT_UNKNOWN" },
  },
  {
    of: ["target"],
    broken: ({ target }) => target.active === false,
    says: { "1.1.1": "TARGET_PATIENT_NOT_ACTIVE" },
  },
];

/** Everything that forbids to link the source below the target, in the words of a version. */
export function linkFaults(pair: LockedPair, version: CatalogueVersion, places?: PairPlaces): Fault[] {
  return LINK_RULES.flatMap(({ of, broken, says }) => {
    const meaning = says[version];
    return meaning !== undefined && broken(pair) ? [{ ...fault(meaning), ...at(of, places) }] : [];
  });
}

function isSecondary({ source }: LockedPair): boolean {
  return source.rootId !== source.id;
}

/** The target is linked below the source already. */
function closesCircle({ source, target }: LockedPair): boolean {
  return target.rootId === source.id && target.id !== source.id;
}
