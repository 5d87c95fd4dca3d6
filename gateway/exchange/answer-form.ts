import { type FhirJson, stringifyJson, writeXml } from "../fhir/index.ts";
import { acceptedFormat, type Format, namedFormat } from "./media-types.ts";
import { givenValue, type Parameter } from "./query.ts";

/** How the resource of an answer is written. */
export interface AnswerForm {
  readonly format: Format;
  /** Indented for people. */
  readonly pretty: boolean;
}

/** FHIR JSON in as few characters as can be. */
export const PLAIN_JSON: AnswerForm = { format: "json", pretty: false };

const PLAIN_XML: AnswerForm = { format: "xml", pretty: false };

/** Content-Type of FHIR JSON. */
export const fhirJsonType = "application/fhir+json; charset=utf-8";

const contentTypes: Readonly<Record<Format, string>> = {
  json: fhirJsonType,
  xml: "application/fhir+xml; charset=utf-8",
};

/**
 * The form that the parameters of a query or form ask for by `_format` and `_pretty`, else the Accept header; JSON
 * where neither can be understood, so that a refusal has a form, too.
 */
export function answerForm(parameters: readonly Parameter[], accept: string | undefined): AnswerForm {
  if (parameters.length === 0) return acceptedFormat(accept) === "xml" ? PLAIN_XML : PLAIN_JSON;
  const wanted = givenValue(parameters, "_format");
  const format = (wanted === undefined ? acceptedFormat(accept) : namedFormat(wanted)) ?? "json";
  return { format, pretty: givenValue(parameters, "_pretty") === "true" };
}

/** The body of an answer: a resource, given as FHIR JSON, in the form that was asked for. */
export function resourceText(
  resource: FhirJson,
  { format, pretty }: AnswerForm,
): { readonly contentType: string; readonly text: string } {
  const contentType = contentTypes[format];
  if (format === "xml") return { contentType, text: writeXml(resource, pretty) };
  return { contentType, text: pretty ? JSON.stringify(resource, undefined, 2) : stringifyJson(resource) };
}
