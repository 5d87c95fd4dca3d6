import elementOrder from "./element-order.json" with { type: "json" };
import { type PrimitiveCodec, primitiveCodecs } from "./primitives.ts";

/** A type of R5 with its elements, as the definitions have them. */
export interface FhirType {
  readonly name: string;
  /** Its elements by their names in XML, which are those in JSON. */
  readonly elements: ReadonlyMap<string, FhirElement>;
  /** The names of its elements in FHIRPath. */
  readonly names: ReadonlySet<string>;
}

/** An element or an attribute of a type; of a choice there is one for each type. */
export interface FhirElement {
  /** As in FHIRPath, without the type of a choice: deceased. */
  readonly name: string;
  /** In XML and JSON: deceasedBoolean. */
  readonly jsonName: string;
  /** Its place in the type, the same for all types of a choice. */
  readonly order: number;
  readonly repeated: boolean;
  readonly attribute: boolean;
  readonly content: FhirContent;
}

/** A primitive with its JSON type, another type by name, or a resource of whatever type. */
export type FhirContent =
  | { readonly kind: "primitive"; readonly codec: PrimitiveCodec }
  | { readonly kind: "complex"; readonly type: string }
  | { readonly kind: "xhtml" }
  | { readonly kind: "resource" };

const lines: Readonly<Record<string, string>> = elementOrder;
const known = new Map<string, FhirType>();

/** The type of a name, such as Patient, Patient.contact, HumanName. */
export function fhirType(name: string): FhirType {
  const type = known.get(name) ?? compile(name);
  known.set(name, type);
  return type;
}

/** The type of a resource; undefined when R5 has no such resource. */
export function resourceFhirType(name: unknown): FhirType | undefined {
  return typeof name === "string" && RESOURCES.has(name) ? fhirType(name) : undefined;
}

const RESOURCES: ReadonlySet<string> = new Set(
  Object.keys(lines).filter(
    (name) => name !== "DomainResource" && /^(?:Domain)?Resource$/.test(baseOf(name)),
  ),
);

function baseOf(name: string): string {
  const line = lines[name] ?? "";
  return line.slice(0, line.indexOf(" "));
}

function compile(name: string): FhirType {
  const line = lines[name];
  if (line === undefined) throw new Error(`${name} is no type of R5`);
  const [base = "-", ...own] = line.split(" ");
  const inherited = base === "-" ? [] : [...fhirType(base).elements.values()];
  const after = inherited.length;
  const elements = [...inherited, ...own.flatMap((text, index) => elementsOf(text, after + index))];
  return {
    name,
    elements: new Map(elements.map((element) => [element.jsonName, element])),
    names: new Set(elements.map((element) => element.name)),
  };
}

/** The elements of a text such as `given:string*`, `@url:uri` or `value:[x]boolean|string`. */
function elementsOf(text: string, order: number): FhirElement[] {
  const [, mark, name = "", choice, types = "", star] =
    /^(@?)(\w+):(\[x\])?([A-Za-z0-9.|]+)(\*?)$/.exec(text) ?? [];
  const given = types === "any" ? (lines["any"] ?? "") : types;
  return given.split("|").map((type) => ({
    name,
    jsonName: choice === undefined ? name : `${name}${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    order,
    repeated: star === "*",
    attribute: mark === "@",
    content: contentOf(type),
  }));
}

function contentOf(type: string): FhirContent {
  if (type === "xhtml" || type === "Resource") return { kind: type === "xhtml" ? "xhtml" : "resource" };
  const codec = primitiveCodecs.get(type);
  return codec === undefined ? { kind: "complex", type } : { kind: "primitive", codec };
}
