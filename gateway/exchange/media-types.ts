/** Media types of FHIR JSON, the preferred one first. */
export const jsonMediaTypes = ["application/fhir+json", "application/json"] as const;

/** What a body is, by the type that it has to have. */
export const bodyMediaTypes = {
  resource: jsonMediaTypes,
  form: ["application/x-www-form-urlencoded"],
  patch: ["application/json-patch+json"],
} as const;

export type BodyKind = keyof typeof bodyMediaTypes;

/** What `_format` may say for JSON. */
const JSON_FORMATS: ReadonlySet<string> = new Set(["json", "text/json", ...jsonMediaTypes]);

/** The answers of nearly all requests; the others are read. */
const PLAINLY_ACCEPTED: ReadonlySet<string | undefined> = new Set([undefined, "", "*/*", ...jsonMediaTypes]);

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly specificity: number;
}

/** Whether an Accept header (RFC 9110, 12.5.1) takes FHIR JSON of R5. */
export function acceptsJson(header: string | undefined): boolean {
  if (PLAINLY_ACCEPTED.has(header)) return true;
  const ranges = (header ?? "").split(",").flatMap(parseRange);
  return jsonMediaTypes.some((type) => {
    const fitting = ranges.filter((range) => covers(range.type, type));
    const [best] = fitting.sort((one, other) => other.specificity - one.specificity);
    return best !== undefined && best.quality > 0;
  });
}

/** Whether a `_format` parameter asks for FHIR JSON. */
export function isJsonFormat(format: string): boolean {
  // An unescaped + of a URL has become a space.
  return JSON_FORMATS.has(format.trim().toLowerCase().replace("fhir json", "fhir+json"));
}

/** Whether a Content-Type, in UTF-8 and of R5 if it says so, is that of a body of the kind. */
export function isBodyOf(kind: BodyKind, header: string | undefined): boolean {
  const [type = "", ...parameters] = (header ?? "").split(";");
  if (!(bodyMediaTypes[kind] as readonly string[]).includes(type.trim().toLowerCase())) return false;
  if (parameters.length === 0) return true;
  const given = parametersOf(parameters);
  return isR5(given) && isUtf8(given);
}

function parseRange(text: string): MediaRange[] {
  const [type = "", ...rest] = text.split(";");
  const parameters = parametersOf(rest);
  const quality = parameters.get("q");
  const value = quality === undefined ? 1 : Number(quality);
  const name = type.trim().toLowerCase();
  if (name === "" || !isR5(parameters)) return [];
  return [{ type: name, quality: Number.isNaN(value) ? 0 : value, specificity: specificityOf(name) }];
}

function specificityOf(range: string): number {
  if (range === "*/*") return 0;
  return range.endsWith("/*") ? 1 : 2;
}

function covers(range: string, type: string): boolean {
  return range === type || range === "*/*" || range === "application/*";
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
