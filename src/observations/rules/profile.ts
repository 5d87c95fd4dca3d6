import type { CodeableConcept } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import { isPresent, notAllowed, type Profiles, type Report, required } from "../../content-rules/index.ts";
import { isReferring } from "../../references/index.ts";

const SNOMED_CT = "http://snomed.info/sct";
const MARITAL_STATUS = "125680007";
const CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category";
const V3_MARITAL_STATUS = "http://terminology.hl7.org/CodeSystem/v3-MaritalStatus";
const VALUES: ReadonlySet<string> = new Set(["A", "C", "D", "I", "L", "M", "P", "S", "T", "U", "W"]);

/** What the profile of marital status asks (spec rules.md, "Profiles" and "Marital status"). */
export const maritalStatusProfiles: Profiles<Observation> = {
  "ee-mpi-socialhistory-marital-status": [
    finalStatus,
    socialHistoryCategory,
    maritalStatusCode,
    required("Observation.subject", ({ subject }) => isReferring(subject)),
    required("Observation.issued", ({ issued, issuedElement }) => isPresent(issued, issuedElement)),
    maritalStatusValue,
    notAllowed("Observation.dataAbsentReason", ({ dataAbsentReason }) => dataAbsentReason !== undefined),
    notAllowed("Observation.performer", ({ performer }) => performer.length > 0),
    notAllowed("Observation.component", ({ component }) => component.length > 0),
  ],
};

function finalStatus({ status }: Observation, profile: string, report: Report): void {
  allowOnly(status === "final", "Observation.status", "final", profile, report);
}

function socialHistoryCategory({ category }: Observation, profile: string, report: Report): void {
  const isSocialHistory = category.some((concept) => codesIn(concept, CATEGORY).includes("social-history"));
  allowOnly(isSocialHistory, "Observation.category", "social-history", profile, report);
}

/** Other systems may stand beside SNOMED CT as translations; in SNOMED CT itself it is this code alone. */
function maritalStatusCode({ code }: Observation, profile: string, report: Report): void {
  const codes = codesIn(code, SNOMED_CT);
  const isMaritalStatus = codes.length > 0 && codes.every((one) => one === MARITAL_STATUS);
  allowOnly(isMaritalStatus, "Observation.code", `${SNOMED_CT}|${MARITAL_STATUS}`, profile, report);
}

function maritalStatusValue({ value }: Observation, profile: string, report: Report): void {
  const element = "Observation.value";
  if (value.case === undefined) {
    report("PROFILE_ELEMENT_REQUIRED", { profile, element: `${element}CodeableConcept` }, element);
    return;
  }
  const codes = value.case === "valueCodeableConcept" ? codesIn(value.value, V3_MARITAL_STATUS) : [];
  const isKnown = codes.length > 0 && codes.every((code) => code !== undefined && VALUES.has(code));
  allowOnly(isKnown, element, `${V3_MARITAL_STATUS}|${[...VALUES].join(" ")}`, profile, report);
  // Codings of one concept are translations of each other: two codes of one system would be two statuses.
  if (isKnown && new Set(codes).size > 1) {
    const codings = `${element}.coding (${V3_MARITAL_STATUS})`;
    report("ELEMENT_REPEATED_TOO_OFTEN", { element: codings, max: "1" }, element);
  }
}

function codesIn(concept: CodeableConcept | undefined, system: string): (string | undefined)[] {
  return concept?.coding.flatMap((coding) => (coding.system === system ? [coding.code] : [])) ?? [];
}

function allowOnly(isThis: boolean, element: string, allowed: string, profile: string, report: Report): void {
  if (!isThis) report("PROFILE_VALUE_NOT_ALLOWED", { profile, element, allowed }, element);
}
