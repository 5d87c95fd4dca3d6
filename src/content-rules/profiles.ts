import type { Element, Meta } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Report } from "./report.ts";
import { isUnseen } from "./visible-text.ts";

const PROFILE_BASE = "https://fhir.ee/mpi/StructureDefinition/";
/** Version of our StructureDefinitions: the one that a versioned canonical may name. */
const VERSION_NAMED = "|1.5.0";

/** One thing that a profile asks of a resource. */
export type ProfileRule<Resource> = (resource: Resource, profile: string, report: Report) => void;

/** Profiles by their last path segment, each with what it asks. */
export type Profiles<Resource> = Readonly<Record<string, readonly ProfileRule<Resource>[]>>;

/**
 * Holds a resource to the profile that it claims: one of ours is required (MPI-024), others are refused (MPI-023),
 * two of ours contradict each other.
 */
export function checkProfile<Resource>(
  meta: Meta | undefined,
  resource: Resource,
  profiles: Profiles<Resource>,
  path: string,
  report: Report,
): void {
  const claims = meta?.profile ?? [];
  const names = new Set<string>();
  let claimed = false;
  for (const [index, canonical] of claims.entries()) {
    if (canonical === "") continue;
    claimed = true;
    const name = profileName(canonical);
    if (name !== undefined && Object.hasOwn(profiles, name)) names.add(name);
    else report("PROFILE_NOT_SUPPORTED", { profile: canonical }, `${path}.meta.profile[${index}]`);
  }
  if (!claimed) report("PROFILE_MISSING", {}, `${path}.meta.profile`);
  if (names.size > 1) report("PROFILES_CONTRADICT", {}, `${path}.meta.profile`);
  const [only] = names;
  if (names.size !== 1 || only === undefined) return;
  for (const rule of profiles[only] ?? []) rule(resource, only, report);
}

/** What it is called by us; with any other version, or with more behind it, that is the name of nothing. */
function profileName(canonical: string): string | undefined {
  if (!canonical.startsWith(PROFILE_BASE)) return undefined;
  const name = canonical.slice(PROFILE_BASE.length);
  return name.endsWith(VERSION_NAMED) ? name.slice(0, -VERSION_NAMED.length) : name;
}

/**
 * Whether a primitive is there, in FHIR's sense: it has a value, or extensions in place of one. White space and signs that
 * nobody sees are no value.
 */
export function isPresent(value: unknown, element: Element | undefined): boolean {
  const isBlank = value === undefined || (typeof value === "string" && isUnseen(value));
  return !isBlank || (element?.extension.length ?? 0) > 0;
}

/** Whether a text that is no element says anything: white space alone says nothing. */
export function isSaid(text: string): boolean {
  return isPresent(text, undefined);
}

/** Whether a repeated primitive holds anything: a value, or extensions in place of one. */
export function isAnyPresent(values: readonly string[], elements: readonly Element[]): boolean {
  return values.some((value, index) => isPresent(value, elements[index]));
}

/** The profile demands an element; of a choice, of which FHIRPath leaves out the type, `named` says which type. */
export function required<Resource>(
  element: string,
  has: (resource: Resource) => boolean,
  named = element,
): ProfileRule<Resource> {
  return (resource, profile, report) => {
    if (!has(resource)) report("PROFILE_ELEMENT_REQUIRED", { profile, element: named }, element);
  };
}

/** The profile forbids an element. */
export function notAllowed<Resource>(
  element: string,
  has: (resource: Resource) => boolean,
): ProfileRule<Resource> {
  return (resource, profile, report) => {
    if (has(resource)) report("PROFILE_ELEMENT_NOT_ALLOWED", { profile, element }, element);
  };
}

/** The profile bounds how many of an element there are. */
export function counted<Resource>(
  element: string,
  count: (resource: Resource) => number,
  { min, max }: { readonly min: number; readonly max: number },
): ProfileRule<Resource> {
  const allowed = min === max ? `${min}` : `${min}..${max}`;
  return (resource, profile, report) => {
    const found = count(resource);
    if (found === 0 && min > 0) report("PROFILE_ELEMENT_REQUIRED", { profile, element }, element);
    else if (found < min || found > max)
      report("PROFILE_ELEMENT_COUNT", { profile, element, allowed }, element);
  };
}
