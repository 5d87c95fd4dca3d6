export {
  isReferring,
  pathsBelow,
  type Reached,
  referenceParameters,
  referredTo,
  relativeReference,
  withRelativeReferences,
} from "./literal-references.ts";
