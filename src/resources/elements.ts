import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  hasOption,
  type Message,
} from "@bufbuild/protobuf";
import { CodingSchema, type Meta, MetaSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { choice_min, element } from "#proto/patientindex/v1/fhir_pb.ts";
import { MpiError } from "../errors/index.ts";
import { SUBSETTED } from "./subsetted.ts";

/** Elements to keep, as a tree; an empty branch keeps all below it. */
export interface ElementPaths extends ReadonlyMap<string, ElementPaths> {}

type Branch = Map<string, Branch>;

/** What a resource has of its version. */
type Versioned = Message & { meta?: Meta | undefined; etag: string };

type Node = Record<string, unknown>;

// What a resource cannot be understood, changed or told apart without.
const ALWAYS: readonly string[] = ["id", "meta", "implicitRules", "modifierExtension"];

// No element, but clients in JSON ask for it as for one.
const TYPE_IN_JSON = "resourceType";

/** The tree of FHIR `_elements` paths; refused where one is of no element (MPI-015). */
export function elementPaths(schema: DescMessage, elements: readonly string[]): ElementPaths {
  const paths = knownPaths(schema, elements);
  if (paths) return paths;
  throw new MpiError("SEARCH_PARAMETERS_UNSUITABLE", {}, { expression: ["http._elements"] });
}

/**
 * The tree of FHIR `_elements` paths such as `name.family`, with what no resource of the type is shown without; empty
 * when there are none, undefined where the resource never has one of them.
 */
export function knownPaths(schema: DescMessage, elements: readonly string[]): ElementPaths | undefined {
  const root: Branch = new Map();
  for (const path of elements) {
    if (path === TYPE_IN_JSON) continue;
    const names = withoutType(schema, path).split(".");
    if (!exists(schema, names)) return undefined;
    addPath(root, names);
  }
  if (elements.length > 0) for (const name of [...ALWAYS, ...requiredOf(schema)]) root.set(name, new Map());
  return root;
}

/** What is named whole stays so, whichever of its parts are named beside it. */
function addPath(root: Branch, names: readonly string[]): void {
  let branch = root;
  for (const [depth, name] of names.entries()) {
    const known = branch.get(name);
    if (known?.size === 0) return;
    const next = depth === names.length - 1 ? new Map() : (known ?? new Map());
    branch.set(name, next);
    branch = next;
  }
}

function withoutType(schema: DescMessage, path: string): string {
  return path.startsWith(`${schema.name}.`) ? path.slice(schema.name.length + 1) : path;
}

function requiredOf(schema: DescMessage): string[] {
  return partsOf(schema).flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
}

/** A copy with the named elements alone, tagged SUBSETTED; the resource itself when none are named. */
export function withElements<Resource extends Versioned>(
  schema: DescMessage,
  resource: Resource,
  paths: ElementPaths,
): Resource {
  if (paths.size === 0) return resource;
  const cut = (cutMessage(schema, resource, paths) ?? create(schema)) as Resource;
  const meta = create(MetaSchema, resource.meta);
  cut.meta = { ...meta, tag: [...meta.tag, create(CodingSchema, SUBSETTED)] };
  cut.etag = resource.etag;
  return cut;
}

/** What is left of a message, with what it must have beside that; undefined when nothing is. */
function cutMessage(schema: DescMessage, message: Message, paths: ElementPaths): Message | undefined {
  const from = message as unknown as Node;
  const cut = create(schema);
  const to = cut as unknown as Node;
  let isEmpty = true;
  for (const { member, name } of partsOf(schema)) {
    const below = paths.get(name);
    const value = below && cutValue(member, from[member.localName], below);
    if (isAbsent(member, value)) continue;
    to[member.localName] = value;
    isEmpty = false;
  }
  if (isEmpty) return undefined;
  for (const { member, isRequired } of partsOf(schema)) {
    if (isRequired) to[member.localName] = from[member.localName];
  }
  return cut;
}

function cutValue(member: DescField | DescOneof, value: unknown, paths: ElementPaths): unknown {
  if (member.kind === "oneof" || !member.message || paths.size === 0 || value === undefined) return value;
  const schema = member.message;
  if (member.fieldKind !== "list") return cutMessage(schema, value as Message, paths);
  return (value as Message[]).flatMap((one) => cutMessage(schema, one, paths) ?? []);
}

function isAbsent(member: DescField | DescOneof, value: unknown): boolean {
  if (value === undefined) return true;
  if (member.kind === "oneof") return (value as { readonly case?: string }).case === undefined;
  return member.fieldKind === "list" && (value as readonly unknown[]).length === 0;
}

/** A field or a choice of a message. */
interface Part {
  readonly member: DescField | DescOneof;
  /** Of the FHIR element that it belongs to. */
  readonly name: string;
  readonly isRequired: boolean;
}

const known = new Map<DescMessage, readonly Part[]>();

function partsOf(schema: DescMessage): readonly Part[] {
  let parts = known.get(schema);
  if (!parts) {
    const required = new Set(schema.members.filter(isRequiredByRule).map(elementName));
    parts = schema.members.map((member) => {
      const name = elementName(member);
      return { member, name, isRequired: required.has(name) };
    });
    known.set(schema, parts);
  }
  return parts;
}

function isRequiredByRule(member: DescField | DescOneof): boolean {
  if (member.kind === "oneof") return getOption(member, choice_min) > 0;
  return hasOption(member, element) && getOption(member, element).min > 0;
}

/** x_element goes with x, and both with the choice x of x[x]. */
function elementName(member: DescField | DescOneof): string {
  if (member.kind === "oneof") return member.localName;
  const name = member.localName.replace(/Element$/, "");
  const choice = member.parent.oneofs.find((oneof) => oneof.fields.some((field) => field.localName === name));
  return choice ? choice.localName : name;
}

/** No resource nests deeper: an extension may have extensions, and a path of them as many steps as anybody likes. */
const DEEPEST = 64;

function exists(resource: DescMessage, names: readonly string[]): boolean {
  if (names.length > DEEPEST) return false;
  let schema: DescMessage | undefined = resource;
  for (const [depth, name] of names.entries()) {
    const isChoice: boolean = schema?.oneofs.some((oneof) => oneof.localName === name) ?? false;
    if (isChoice) return depth === names.length - 1;
    const field: DescField | undefined = schema?.fields.find(
      ({ localName, number }) => localName === name && number < 200,
    );
    if (!field || elementName(field) !== name) return false;
    schema = field.message;
  }
  return true;
}
