/** How a resource is written. */
export type Format = "json" | "xml";

/** Media types of FHIR resources by format, the preferred ones first. */
const resourceMediaTypes = {
  json: ["application/fhir+json", "application/json"],
  xml: ["application/fhir+xml", "application/xml"],
} as const satisfies Readonly<Record<Format, readonly string[]>>;

/** All of them. */
export const allResourceMediaTypes: readonly string[] = Object.values(resourceMediaTypes).flat();

/** What a body is, by the type that it has to have. */
export const bodyMediaTypes = {
  resource: allResourceMediaTypes,
  form: ["application/x-www-form-urlencoded"],
  // A FHIRPath Patch comes as a resource, which only the types of FHIR can say.
  patch: ["application/json-patch+json", resourceMediaTypes.json[0], resourceMediaTypes.xml[0]],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type BodyKind = keyof typeof bodyMediaTypes;

/** What `_format` may say beside the media types. */
const SHORT_FORMATS: ReadonlyMap<string, Format> = new Map([
  ["json", "json"],
  ["xml", "xml"],
]);

const formats: readonly { readonly type: string; readonly format: Format }[] = [
  ...resourceMediaTypes.json.map((type) => ({ type, format: "json" }) as const),
  ...resourceMediaTypes.xml.map((type) => ({ type, format: "xml" }) as const),
  // Older names, which mean the same to those who ask for them.
  { type: "text/json", format: "json" },
  { type: "text/xml", format: "xml" },
];

/** The answers of nearly all requests; the others are read. */
const PLAINLY_JSON: ReadonlySet<string | undefined> = new Set([
  undefined,
  "",
  "*/*",
  ...resourceMediaTypes.json,
]);

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly specificity: number;
  /** Place in the header. */
  readonly at: number;
}

/**
 * The format that an Accept header (RFC 9110, 12.5.1) asks for: the one of the highest quality, of equal ones the one
 * named first, JSON when it is all the same. Undefined when it takes no resources of R5 that can be written here.
 */
export function acceptedFormat(header: string | undefined): Format | undefined {
  if (PLAINLY_JSON.has(header)) return "json";
  const ranges = (header ?? "").split(",").flatMap(parseRange);
  const [best] = formats
    .flatMap(({ type, format }) => {
      const range = mostSpecific(ranges, type);
      return range === undefined || range.quality <= 0 ? [] : [{ ...range, format }];
    })
    .sort((one, other) => other.quality - one.quality || one.at - other.at);
  return best?.format;
}

/** The format that a `_format` parameter asks for. */
export function namedFormat(format: string): Format | undefined {
  // An unescaped + of a URL has become a space.
  const [range] = parseRange(format.replace(/fhir (?=json|xml)/i, "fhir+"), 0);
  if (range === undefined) return undefined;
  return SHORT_FORMATS.get(range.type) ?? formats.find(({ type }) => type === range.type)?.format;
}

/** Whether a Content-Type, in UTF-8 and of R5 if it says so, is that of a body of the kind. */
export function isBodyOf(kind: BodyKind, header: string | undefined): boolean {
  const [, ...parameters] = (header ?? "").split(";");
  if (!(bodyMediaTypes[kind] as readonly string[]).includes(typeOf(header))) return false;
  if (parameters.length === 0) return true;
  const given = parametersOf(parameters);
  return isR5(given) && isUtf8(given);
}

/** Whether a Content-Type is one of FHIR XML. */
export function isXmlType(header: string | undefined): boolean {
  return (resourceMediaTypes.xml as readonly string[]).includes(typeOf(header));
}

/** Whether a Content-Type is one of FHIR resources. */
export function isResourceType(header: string | undefined): boolean {
  return allResourceMediaTypes.includes(typeOf(header));
}

function typeOf(header: string | undefined): string {
  const [type = ""] = (header ?? "").split(";");
  return type.trim().toLowerCase();
}

function parseRange(text: string, at: number): MediaRange[] {
  const [, ...rest] = text.split(";");
  const parameters = parametersOf(rest);
  const quality = parameters.get("q");
  const value = quality === undefined ? 1 : Number(quality);
  const type = typeOf(text);
  if (type === "" || !isR5(parameters)) return [];
  return [{ type, quality: Number.isNaN(value) ? 0 : value, specificity: specificityOf(type), at }];
}

function mostSpecific(ranges: readonly MediaRange[], type: string): MediaRange | undefined {
  const fitting = ranges.filter((range) => covers(range.type, type));
  const [best] = fitting.sort((one, other) => other.specificity - one.specificity);
  return best;
}

const WILDCARDS: ReadonlySet<string> = new Set(["*/*", "application/*"]);

function specificityOf(range: string): number {
  if (range === "*/*") return 0;
  return range.endsWith("/*") ? 1 : 2;
}

function covers(range: string, type: string): boolean {
  return range === type || (type.startsWith("application/") && WILDCARDS.has(range));
}

function parametersOf(parts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    parts.map((part) => {
      const [name = "", value = ""] = part.split("=");
      return [
        name.trim().toLowerCase(),
        value
          .trim()
          .replace(/^"(.*)"$/, "$1")
          .toLowerCase(),
      ];
    }),
  );
}

function isR5(parameters: ReadonlyMap<string, string>): boolean {
  const version = parameters.get("fhirversion");
  return version === undefined || version === "5.0" || version === "5.0.0";
}

function isUtf8(parameters: ReadonlyMap<string, string>): boolean {
  const charset = parameters.get("charset");
  return charset === undefined || charset === "utf-8" || charset === "utf8";
}
