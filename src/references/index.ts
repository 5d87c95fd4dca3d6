export {
  contradictsItself,
  isReferring,
  mayBeToPatient,
  pathsBelow,
  type Reached,
  referenceParameters,
  referredTo,
  relativeReference,
  withPlainOrigin,
  withRelativeReferences,
} from "./literal-references.ts";
