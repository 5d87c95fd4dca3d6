import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { CodingSchema, type Meta, MetaSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { MpiError } from "../errors/index.ts";
import { SUBSETTED } from "./subsetted.ts";

/** Elements to keep, as a tree; an empty branch keeps all below it. */
export interface ElementPaths extends ReadonlyMap<string, ElementPaths> {}

/** What a resource has of its version. */
type Versioned = Message & { meta?: Meta | undefined; etag: string };

type Node = Record<string, unknown>;

// What a resource cannot be understood, changed or told apart without.
const ALWAYS: readonly string[] = ["id", "meta", "implicitRules", "modifierExtension"];

/** The tree of FHIR `_elements` paths such as `name.family`; one that the resource never has is refused (MPI-015). */
export function elementPaths(schema: DescMessage, elements: readonly string[]): ElementPaths {
  const root = new Map<string, ElementPaths>();
  for (const element of elements) {
    const names = withoutType(schema, element).split(".");
    if (!exists(schema, names)) {
      throw new MpiError("SEARCH_PARAMETERS_UNSUITABLE", {}, { expression: ["http._elements"] });
    }
    let branch = root;
    for (const name of names) {
      const next = (branch.get(name) as Map<string, ElementPaths> | undefined) ?? new Map();
      branch.set(name, next);
      branch = next;
    }
  }
  return root;
}

function withoutType(schema: DescMessage, element: string): string {
  return element.startsWith(`${schema.name}.`) ? element.slice(schema.name.length + 1) : element;
}

/** A copy with the named elements alone, tagged SUBSETTED; the resource itself when none are named. */
export function withElements<Resource extends Versioned>(
  schema: DescMessage,
  resource: Resource,
  paths: ElementPaths,
): Resource {
  if (paths.size === 0) return resource;
  const kept = new Map<string, ElementPaths>(paths);
  for (const name of ALWAYS) kept.set(name, new Map());
  const cut = cutMessage(schema, resource, kept) as Resource;
  const meta = create(MetaSchema, resource.meta);
  cut.meta = { ...meta, tag: [...meta.tag, create(CodingSchema, SUBSETTED)] };
  cut.etag = resource.etag;
  return cut;
}

function cutMessage(schema: DescMessage, message: Message, paths: ElementPaths): Message {
  const from = message as unknown as Node;
  const cut = create(schema);
  const to = cut as unknown as Node;
  for (const member of schema.members) {
    if (member.kind === "oneof") {
      if (paths.has(member.localName)) to[member.localName] = from[member.localName];
      continue;
    }
    const below = paths.get(elementName(member));
    if (below) to[member.localName] = cutValue(member, from[member.localName], below);
  }
  return cut;
}

function cutValue(field: DescField, value: unknown, paths: ElementPaths): unknown {
  const schema = field.message;
  if (!schema || paths.size === 0 || value === undefined) return value;
  if (field.fieldKind === "list") return (value as Message[]).map((one) => cutMessage(schema, one, paths));
  return cutMessage(schema, value as Message, paths);
}

/** The FHIR element that a field belongs to: x_element goes with x, and both with the choice x of x[x]. */
function elementName(field: DescField): string {
  const name = field.localName.replace(/Element$/, "");
  const choice = field.parent.oneofs.find((oneof) =>
    oneof.fields.some((member) => member.localName === name),
  );
  return choice ? choice.localName : name;
}

function exists(schema: DescMessage, [name, ...rest]: readonly string[]): boolean {
  if (schema.oneofs.some((oneof) => oneof.localName === name)) return rest.length === 0;
  const field = schema.fields.find(({ localName, number }) => localName === name && number < 200);
  if (!field || elementName(field) !== name) return false;
  if (rest.length === 0) return true;
  return field.message !== undefined && exists(field.message, rest);
}
