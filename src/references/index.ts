export {
  contradictsItself,
  isReferring,
  mayBeToPatient,
  pathsBelow,
  type Reached,
  type ReferenceParameter,
  referenceParameters,
  referredTo,
  relativeReference,
  withPlainOrigin,
  withRelativeReferences,
} from "./literal-references.ts";
