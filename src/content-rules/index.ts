export { checkBoundCodes, hasForeignCode } from "./bound-codes.ts";
export { checkGender, GENDERS } from "./codes.ts";
export { acceptContactPoints } from "./contact-points.ts";
export { checkNames } from "./human-names.ts";
export { checkIdentifier, checkRepetition, identifierKey, storedIdentifier } from "./identifier-systems.ts";
export { breaksInvariant, checkInvariants } from "./invariants.ts";
export { checkKeptReferences, isDoubtfulReference } from "./kept-references.ts";
export { checkLanguageTag } from "./language-tags.ts";
export { checkBirthDate, checkLifeDates } from "./life-dates.ts";
export { checkPeriod, isEnded, isReversedPeriod } from "./periods.ts";
export { storedPhone } from "./phone.ts";
export { type Placed, placed } from "./placed.ts";
export {
  checkProfile,
  counted,
  isAnyPresent,
  isPresent,
  isSaid,
  notAllowed,
  type ProfileRule,
  type Profiles,
  required,
} from "./profiles.ts";
export { collectFaults, type Report } from "./report.ts";
export type { RuleSetting } from "./setting.ts";
export { unknownValue } from "./unknown-value.ts";
export { withoutUnprocessedElements } from "./unprocessed-elements.ts";
export { anyMessage } from "./visit-messages.ts";
export { checkWhole } from "./whole-resource.ts";
