import { MpiError } from "../../../src/errors/index.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import {
  type GivenText,
  type ParameterRules,
  resourceParameters,
} from "../../exchange/parameters/resource-parameters.ts";
import { jsonBody } from "../../exchange/resource-body.ts";
import type { JsonValue } from "../../fhir/index.ts";

/** What `$validate` takes beside the resource. */
const PARAMETERS: ParameterRules = {
  mode: ["valueCode", "valueString"],
  profile: ["valueCanonical", "valueUri"],
};

export const validateParameterNames: readonly string[] = Object.keys(PARAMETERS);

const modes = ["create", "update", "delete"] as const;

/** What is to be validated, and as what. */
export interface Validation {
  readonly mode: (typeof modes)[number];
  /** The profile to hold it to, instead of the one that it claims. */
  readonly profile: string | undefined;
  /** Undefined when what is stored is meant. */
  readonly resource: JsonValue | undefined;
}

/** The parameters of `$validate` (R5 resource-operation-validate). */
export function readValidation(request: FhirRequest): Validation {
  const body = request.hasBody ? jsonBody(request) : undefined;
  const { resource, texts } = resourceParameters(request, body, PARAMETERS);
  const mode = modeOf(texts.get("mode"), request.params["id"] !== undefined);
  return { mode, profile: profileOf(texts.get("profile")), resource };
}

/** That of a body is held to its type already. */
function profileOf(given: GivenText | undefined): string | undefined {
  if (given === undefined || /^\S+$/.test(given.text)) return given?.text;
  throw new MpiError("PARAMETER_MALFORMED", { param: "profile" }, { expression: [given.expression] });
}

/** What is not said otherwise is a creation of the type, or an update of the instance. */
function modeOf(given: GivenText | undefined, ofInstance: boolean): Validation["mode"] {
  if (given === undefined) return ofInstance ? "update" : "create";
  const mode = modes.find((one) => one === given.text);
  if (mode !== undefined && (mode === "create") !== ofInstance) return mode;
  const allowed = ofInstance ? "update, delete" : "create";
  const { expression } = given;
  throw new MpiError("VALUE_NOT_ALLOWED", { element: "mode", allowed }, { expression: [expression] });
}
