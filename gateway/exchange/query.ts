import { atParameter, type Fault, fault, refuseFor } from "../../src/errors/index.ts";
import { pathsBelow, type Reached } from "../../src/references/index.ts";

/** A parameter of a query or a form, decoded. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Parameters of the answer's form, for every interaction. */
export const formParameters: ReadonlySet<string> = new Set(["_format", "_pretty"]);

const NONE: readonly Parameter[] = [];

/** The parameters of application/x-www-form-urlencoded, in their order; refused for all that are none (PARAMETER_MALFORMED). */
export function parseParameters(text: string): readonly Parameter[] {
  if (text === "") return NONE;
  const faults: Fault[] = [];
  const parameters = partsOf(text).flatMap((part) => {
    const { rawName, name, value } = decodeParts(part);
    if (name !== undefined && value !== undefined) return [{ name, value }];
    faults.push(malformedValue(name ?? rawName));
    return [];
  });
  refuseFor(faults);
  return parameters;
}

/** Those of them that can be decoded. */
export function wellFormedParameters(text: string): readonly Parameter[] {
  return partsOf(text).flatMap((part) => {
    const { name, value } = decodeParts(part);
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

/** The name of the longest parameter, however many there are: they are not taken apart for it. */
export function longestName(text: string): string {
  let longest = "";
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("&", start);
    const next = end === -1 ? text.length : end;
    if (next - start > longest.length) longest = text.slice(start, next);
    start = next + 1;
  }
  const { rawName, name = rawName } = decodeParts(longest);
  return name;
}

/** The query of a URL, without its question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

/** The value of a parameter that is given once; undefined where it is not given. */
export function givenValue(parameters: readonly Parameter[], wanted: string): string | undefined {
  return parameters.find(({ name }) => name === wanted)?.value;
}

/** The parameters of a request that are not about the form of the answer. */
export function ownParameters({ parameters }: { readonly parameters: readonly Parameter[] }): Parameter[] {
  return parameters.filter(({ name }) => !formParameters.has(name));
}

/**
 * The criteria of If-None-Exist for a type: a query, as it is or behind `?`, `Patient?` or the address of the type in the
 * index. HAPI's client sends the address, with the form of the answer in its query.
 */
export function creationCriteria(type: string, condition: string, reached: Reached): readonly Parameter[] {
  const search = pathsBelow(condition, reached).find((path) => path.startsWith(`${type}?`)) ?? condition;
  const prefix = [`${type}?`, "?"].find((one) => search.startsWith(one)) ?? "";
  return ownParameters({ parameters: parseParameters(search.slice(prefix.length)) });
}

/** The parameters as a query, ready for a link. */
export function writeParameters(parameters: readonly Parameter[]): string {
  return parameters.map(({ name, value }) => `${encode(name)}=${encode(value)}`).join("&");
}

function partsOf(text: string): string[] {
  return text.split("&").filter((part) => part !== "");
}

function decodeParts(part: string) {
  const equals = part.indexOf("=");
  const rawName = equals === -1 ? part : part.slice(0, equals);
  return { rawName, name: decode(rawName), value: decode(equals === -1 ? "" : part.slice(equals + 1)) };
}

/** No parameter of FHIR holds a NUL, and databases do not take one. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    return decoded.includes("\0") ? undefined : decoded;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** As encodeURIComponent does, but with the characters left readable that a query may hold as they are. */
function encode(text: string): string {
  return text.toWellFormed().replace(/[^\w.!~*'():/,@-]+/g, encodeURIComponent);
}

/** That the value of a parameter cannot be understood (MPI-096). */
export function malformedValue(param: string): Fault {
  return fault("PARAMETER_MALFORMED", { param }, atParameter(param));
}

/** What is wrong with a parameter that takes one of some words, and has another one (MPI-015) or several (MPI-075). */
export function unfitParameter({ name: param, value }: Parameter): Fault {
  if (!value.includes(",")) return unsuitableParameter(param);
  return fault("PARAMETER_SINGLE_VALUED", { param }, atParameter(param));
}

/** What is wrong with a parameter that is not known, or that cannot have its value (MPI-015). */
export function unsuitableParameter(param: string): Fault {
  return fault("SEARCH_PARAMETERS_UNSUITABLE", {}, atParameter(param));
}
