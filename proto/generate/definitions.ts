import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** An element of an R5 structure with the elements defined inside it, in the order of the definition. */
export interface ElementDefinition {
  /** FHIR path, such as Patient.contact.name or Extension.value[x]. */
  readonly path: string;
  /** Name without [x]. */
  readonly name: string;
  readonly short: string;
  readonly min: number;
  readonly repeated: boolean;
  /** Several possible types, one member of JSON for each. */
  readonly choice: boolean;
  /** FHIR types; empty for an element that repeats the content of another one. */
  readonly types: readonly string[];
  /** Path of the element whose content this one repeats. */
  readonly contentOf: string | undefined;
  /** An attribute in FHIR's own terms (id, url): a bare value that takes no id and no extensions. */
  readonly bare: boolean;
  /** An attribute in FHIR XML. */
  readonly attribute: boolean;
  /** Canonical URL of the value set that a code must be of. */
  readonly boundTo: string | undefined;
  readonly children: readonly ElementDefinition[];
}

interface JsonType {
  readonly code: string;
  readonly extension?: readonly { readonly url: string; readonly valueUrl?: string }[];
}

interface JsonElement {
  readonly path: string;
  readonly short: string;
  readonly min: number;
  readonly max: string;
  readonly base?: { readonly path: string };
  readonly contentReference?: string;
  readonly representation?: readonly string[];
  readonly binding?: { readonly strength: string; readonly valueSet?: string };
  readonly type?: readonly JsonType[];
}

interface JsonStructure {
  readonly kind: string;
  readonly type: string;
  readonly abstract: boolean;
  readonly derivation?: string;
  readonly snapshot: { readonly element: readonly JsonElement[] };
}

interface JsonValueSet {
  readonly compose: {
    readonly include: readonly { readonly system: string; readonly concept?: readonly JsonConcept[] }[];
  };
}

interface JsonConcept {
  readonly code: string;
  readonly concept?: readonly JsonConcept[];
}

const SYSTEM_TYPE = "http://hl7.org/fhirpath/System.";
const FHIR_TYPE = "http://hl7.org/fhir/StructureDefinition/structuredefinition-fhir-type";

const packageFolder = dirname(createRequire(import.meta.url).resolve("hl7.fhir.r5.core/package.json"));

/** The root element of an R5 data type or resource. */
export function readDefinition(type: string): ElementDefinition {
  const file = join(packageFolder, `StructureDefinition-${type}.json`);
  const { snapshot } = JSON.parse(readFileSync(file, "utf8")) as JsonStructure;
  const root = snapshot.element.find((element) => element.path === type);
  if (root === undefined) throw new Error(`${file} does not define ${type}`);
  return elementOf(root, snapshot.element);
}

/** The resource types of R5 that there can be resources of. */
export function resourceTypes(): string[] {
  const files = readdirSync(packageFolder).filter((file) =>
    /^StructureDefinition-[A-Z]\w*\.json$/.test(file),
  );
  return files
    .map((file) => JSON.parse(readFileSync(join(packageFolder, file), "utf8")) as JsonStructure)
    .filter(
      ({ kind, derivation, abstract }) => kind === "resource" && derivation === "specialization" && !abstract,
    )
    .map(({ type }) => type);
}

/**
 * The codes of a value set of R5; undefined of one whose codes are not part of R5, such as languages. R5's value sets of
 * codes take code systems as a whole or name concepts.
 */
export function codesOf(valueSet: string): string[] | undefined {
  const { compose } = readJson<JsonValueSet>("ValueSet", valueSet) ?? { compose: { include: [] } };
  const lists = compose.include.map(
    ({ system, concept }) =>
      concept ?? readJson<{ readonly concept: readonly JsonConcept[] }>("CodeSystem", system)?.concept,
  );
  if (lists.length === 0 || lists.includes(undefined)) return undefined;
  return lists.flatMap((list = []) => list.flatMap(codesIn));
}

function codesIn({ code, concept = [] }: JsonConcept): string[] {
  return [code, ...concept.flatMap(codesIn)];
}

/** The definition of a canonical URL, in whose last segment is its id. */
function readJson<Definition>(type: string, canonical: string): Definition | undefined {
  const [url = ""] = canonical.split("|");
  const file = join(packageFolder, `${type}-${url.slice(url.lastIndexOf("/") + 1)}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Definition) : undefined;
}

function elementOf(json: JsonElement, all: readonly JsonElement[]): ElementDefinition {
  const lastName = json.path.slice(json.path.lastIndexOf(".") + 1);
  const choice = lastName.endsWith("[x]");
  const types = (json.type ?? []).map((type) => typeName(json, type));
  return {
    path: json.path,
    name: choice ? lastName.slice(0, -3) : lastName,
    short: json.short,
    min: json.min,
    repeated: json.max !== "1",
    choice,
    types,
    contentOf: json.contentReference?.slice(json.contentReference.indexOf("#") + 1),
    bare: types.includes("xhtml") || (json.type ?? []).some((type) => type.code.startsWith(SYSTEM_TYPE)),
    attribute: json.representation?.includes("xmlAttr") ?? false,
    boundTo:
      types.includes("code") && json.binding?.strength === "required" ? json.binding.valueSet : undefined,
    children: all.filter((other) => isChild(json.path, other.path)).map((child) => elementOf(child, all)),
  };
}

function isChild(parent: string, path: string): boolean {
  return path.startsWith(`${parent}.`) && !path.includes(".", parent.length + 1);
}

function typeName(element: JsonElement, type: JsonType): string {
  if (!type.code.startsWith(SYSTEM_TYPE)) return type.code;
  // The snapshots of the data types call Element.id an id, which R5 defines as a string.
  if (element.base?.path === "Element.id") return "string";
  const fhirType = type.extension?.find((extension) => extension.url === FHIR_TYPE)?.valueUrl;
  if (fhirType === undefined) throw new Error(`${element.path} has no FHIR type`);
  return fhirType;
}
