import { isUtf8 } from "node:buffer";
import { atParameter, type Fault, fault, MpiError, refuseFor } from "../../src/errors/index.ts";
import type { Answer } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { HttpMethod, Interaction } from "../exchange/interaction.ts";
import {
  acceptedFormat,
  allResourceMediaTypes,
  bodyMediaTypes,
  isBodyOf,
  namedFormat,
} from "../exchange/media-types.ts";
import { faultsOfConditions } from "../exchange/preconditions.ts";
import {
  formParameters,
  givenValue,
  longestName,
  malformedValue,
  type Parameter,
  unsuitableParameter,
  writeParameters,
} from "../exchange/query.ts";
import { malformedHeader, unsupportedMediaType } from "../outcome/http-faults.ts";

/** Answers a request by an interaction, once what holds for every one of them is checked. */
export function answerTo(request: FhirRequest, interaction: Interaction): Answer | Promise<Answer> {
  admit(request, interaction);
  return interaction.handle(request);
}

/** What may depend on the version that is there. */
const CONDITIONAL: ReadonlySet<HttpMethod> = new Set(["PUT", "PATCH", "DELETE"]);

/** Checks the conditions of a write, the form of the answer, the type of the body, the parameters. */
export function admit(request: FhirRequest, interaction: Interaction): void {
  if (CONDITIONAL.has(interaction.method)) refuseFor(faultsOfConditions(request.headers));
  checkBodyType(request, interaction);
  if (interaction.body === "form") readForm(request);
  const { parameters } = request;
  if (parameters.length === 0) checkAccept(request);
  else checkParameters(request, parameters, interaction);
}

function checkBodyType({ headers, hasBody }: FhirRequest, interaction: Interaction): void {
  if (interaction.body === undefined || !hasBody) return;
  const given = headers["content-type"];
  refuseCompressed(headers["content-encoding"]);
  if (isBodyOf(interaction.body, given)) return;
  throw unsupportedMediaType(given, bodyMediaTypes[interaction.body]);
}

/** The header is a list, which may be empty (RFC 9110, 5.6.1 and 8.4). */
const UNCOMPRESSED: ReadonlySet<string> = new Set(["", "identity"]);

function refuseCompressed(encoding: string | undefined): void {
  if (encoding === undefined || UNCOMPRESSED.has(encoding.trim().toLowerCase())) return;
  throw new MpiError("COMPRESSION_UNSUPPORTED", { encoding }, { expression: ["http.content-encoding"] });
}

function readForm(request: FhirRequest): void {
  const { body } = request;
  if (body === undefined || body.length === 0) return;
  if (!isUtf8(body)) throw malformedHeader("content-type");
  const form = body.toString("utf8");
  if (form.length > LONGEST_FORM) refuseFor([unsuitableParameter(longestName(form))]);
  request.addForm(form);
}

function checkParameters(
  request: FhirRequest,
  parameters: readonly Parameter[],
  interaction: Interaction,
): void {
  const format = givenValue(parameters, "_format");
  if (format === undefined) checkAccept(request);
  else if (namedFormat(format) === undefined) throw notAcceptable(format, "_format");
  refuseFor([
    ...faultsOfPretty(givenValue(parameters, "_pretty")),
    ...(request.preferences.handling === "strict" ? unknown(parameters, interaction) : []),
    ...repeated(parameters, interaction),
    ...(interaction.faultsIn?.(parameters) ?? []),
    ...(interaction.code === "search-type" ? tooLong(parameters) : []),
  ]);
}

/** An entry of a Bundle is answered in the form of the whole, whatever its own Accept says. */
function checkAccept({ headers, isPart }: FhirRequest): void {
  if (!isPart && acceptedFormat(headers.accept) === undefined)
    throw notAcceptable(headers.accept ?? "", "accept");
}

function notAcceptable(requested: string, askedBy: "_format" | "accept"): MpiError {
  const form = { requested, allowed: allResourceMediaTypes.join(", ") };
  return new MpiError("NOT_ACCEPTABLE", form, { expression: [`http.${askedBy}`] });
}

function faultsOfPretty(value: string | undefined): Fault[] {
  return value === undefined || value === "true" || value === "false" ? [] : [malformedValue("_pretty")];
}

function unknown(parameters: readonly Parameter[], interaction: Interaction): Fault[] {
  const known = interaction.parameters;
  if (known === "core") return [];
  return parameters
    .filter(({ name }) => !formParameters.has(name) && !known.includes(name))
    .map(({ name }) => unsuitableParameter(name));
}

function repeated(parameters: readonly Parameter[], { parameters: known }: Interaction): Fault[] {
  const [given, again] = [new Set<string>(), new Set<string>()];
  for (const { name } of parameters) {
    if (!formParameters.has(name) && (known === "core" || !known.includes(name))) continue;
    if (given.has(name)) again.add(name);
    given.add(name);
  }
  return [...again].map((param) => fault("PARAMETER_REPEATED", { param }, atParameter(param)));
}

/** The links of a searchset repeat its parameters, and Node reads no request line and headers of more than 16 KiB. */
const LONGEST_QUERY = 12_000;

/** As a client may write it: with every character percent-encoded, also those that links have as they are. */
const LONGEST_FORM = 3 * LONGEST_QUERY;

/** Percent-encoded, a character takes nine at the most. */
const LONGEST_ENCODED = 9;

function tooLong(parameters: readonly Parameter[]): Fault[] {
  const characters = parameters.reduce((sum, { name, value }) => sum + name.length + value.length + 2, 0);
  if (characters * LONGEST_ENCODED <= LONGEST_QUERY) return [];
  if (writeParameters(parameters).length <= LONGEST_QUERY) return [];
  const [longest] = parameters.toSorted((one, other) => other.value.length - one.value.length);
  return longest ? [unsuitableParameter(longest.name)] : [];
}
