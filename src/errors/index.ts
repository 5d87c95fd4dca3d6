export { acceptedLanguage } from "./accepted-language.ts";
export { inBundleEntry, outOfBundleEntry } from "./bundle-entry.ts";
export {
  type Meaning,
  type ParametersOf,
  type PlaceholderOf,
  traitsOf,
} from "./catalogue/catalogue.ts";
export {
  type CatalogueVersion,
  catalogueVersions,
  type Language,
  languages,
} from "./catalogue/entry.ts";
export { causesOf, type LoggedCause, unreachableBecause } from "./causes.ts";
export { defaultErrorSystems, type ErrorSystem, type ErrorSystems } from "./error-systems.ts";
export {
  type ErrorIssue,
  type ErrorIssues,
  type Fault,
  type FaultOptions,
  fault,
  type MirroredIssue,
  originalError,
  registerCodeIssue,
  registerIssue,
} from "./fault.ts";
export { GrpcStatus, type GrpcStatusName, grpcStatusName } from "./grpc-status.ts";
export { type FailedCall, httpStatusByGrpcStatus, httpStatusOf } from "./http-status.ts";
export { receivedIssues, renderIssues } from "./issues.ts";
export {
  asMpiError,
  atElements,
  type CauseOption,
  expressionsOf,
  MpiError,
  type Rename,
  refuseFor,
  renamed,
} from "./mpi-error.ts";
export { ofPatient, ofPatients, recordExpression } from "./of-patient.ts";
export { omittedIssuesText } from "./omitted-issues.ts";
export { atParameter, parameterExpression } from "./parameter-expression.ts";
export { type Presentation, present } from "./presentation.ts";
export {
  type RenderedError,
  renderError,
  rpcStatusOf,
  statusSizeLimit,
} from "./rendering.ts";
export { RepeatedFailures } from "./repeated-failures.ts";
export { RepeatedReasons } from "./repeated-reasons.ts";
export { withoutValues } from "./without-values.ts";
