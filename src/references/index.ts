export {
  isReferring,
  pathsBelow,
  type Reached,
  referenceParameters,
  referredTo,
  relativeReference,
  withPlainOrigin,
  withRelativeReferences,
} from "./literal-references.ts";
