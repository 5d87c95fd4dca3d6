import { MpiError } from "../../../src/errors/index.ts";
import { type ElementNode, type FhirJson, jsonOf, resourceFhirType, treeOf, Walk } from "../../fhir/index.ts";
import { type FhirPathPatchOperation, isTaken, nodeFor } from "./operations.ts";
import type { Path } from "./path-text.ts";
import { type Effort, select } from "./select.ts";

/** Elements that the paths of one patch may look at. */
const MOST_EFFORT = 500_000;

/**
 * The resource with all operations done in their order; `resource` itself is not changed. One that cannot be done
 * refuses the patch as a whole (PATCH_NOT_APPLICABLE).
 */
export function applyOperations(resource: FhirJson, operations: readonly FhirPathPatchOperation[]): FhirJson {
  const type = resourceFhirType(resource["resourceType"]);
  if (type === undefined) throw new TypeError("What is patched is no resource");
  const target = { root: treeOf(type, resource, new Walk(type.name)), effort: { left: MOST_EFFORT } };
  for (const [index, operation] of operations.entries()) {
    if (apply(target, operation)) continue;
    const parameters = { number: String(index + 1), path: operation.pathText };
    throw new MpiError("PATCH_NOT_APPLICABLE", parameters, {
      expression: [`Parameters.parameter[${index}]`],
    });
  }
  return jsonOf(target.root);
}

/** What is patched, and what all operations together may still look at. */
interface Target {
  readonly root: ElementNode;
  readonly effort: Effort;
}

/** Whether the operation could be done. */
function apply(target: Target, operation: FhirPathPatchOperation): boolean {
  switch (operation.kind) {
    case "add":
      return add(target, operation);
    case "insert":
      return insert(target, operation);
    case "replace":
      return replace(target, operation);
    case "move":
      return move(target, operation);
    case "delete":
      return remove(target, operation.path);
  }
}

type OperationOf<Kind extends FhirPathPatchOperation["kind"]> = Extract<
  FhirPathPatchOperation,
  { readonly kind: Kind }
>;

function add({ root, effort }: Target, { path, name, value }: OperationOf<"add">): boolean {
  const parent = only(select(root, path, effort));
  const node = parent && nodeFor(parent.type, name, value);
  if (parent === undefined || node?.element === undefined || isTaken(parent.children, node.element))
    return false;
  put(parent, parent.children.length, node);
  return true;
}

function insert(target: Target, { path, index, value }: OperationOf<"insert">): boolean {
  const list = listAt(target, path);
  const node = list && nodeFor(list.parent.type, list.name, value);
  if (list === undefined || node?.element?.repeated !== true || index > list.items.length) return false;
  const before = list.items[index];
  const at = before === undefined ? list.end : list.parent.children.indexOf(before);
  put(list.parent, at, node);
  return true;
}

function replace({ root, effort }: Target, { path, value }: OperationOf<"replace">): boolean {
  const replaced = only(select(root, path, effort));
  const parent = replaced?.parent;
  const node = parent && nodeFor(parent.type, replaced?.element?.name ?? "", value);
  if (replaced === undefined || parent === undefined || node === undefined) return false;
  put(parent, take(replaced), node);
  return true;
}

function move(target: Target, { path, source, destination }: OperationOf<"move">): boolean {
  const list = listAt(target, path);
  const moved = list?.items[source];
  const place = list?.items[destination];
  if (list === undefined || moved === undefined || place === undefined) return false;
  const at = list.parent.children.indexOf(place);
  take(moved);
  put(list.parent, at, moved);
  return true;
}

/** Deletes the element of a path, and its parents that become empty. Nothing to delete is no error; several elements are one. */
function remove({ root, effort }: Target, path: Path): boolean {
  const found = select(root, path, effort);
  let [emptied] = found ?? [];
  if (found === undefined || found.length > 1 || emptied === root) return false;
  while (emptied?.parent !== undefined) {
    const { parent }: ElementNode = emptied;
    take(emptied);
    if (parent.children.length > 0 || parent.value !== undefined) break;
    emptied = parent;
  }
  return true;
}

function put(parent: ElementNode, at: number, node: ElementNode): void {
  node.parent = parent;
  parent.children.splice(at, 0, node);
}

/** Takes a node out of what it is in, and gives its place there. */
function take(node: ElementNode): number {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  siblings.splice(at, 1);
  return at;
}

/** A list as a whole, which is there even when it is empty: a name in one element. */
interface List {
  readonly parent: ElementNode;
  readonly name: string;
  /** Consecutive children of the parent. */
  readonly items: readonly ElementNode[];
  /** The place after the last of them. */
  readonly end: number;
}

function listAt({ root, effort }: Target, path: Path): List | undefined {
  const last = path.at(-1);
  if (last?.kind !== "child") return undefined;
  const parent = only(path.length === 1 ? [root] : select(root, path.slice(0, -1), effort));
  if (parent === undefined) return undefined;
  const items = parent.children.filter(({ element }) => element?.name === last.name);
  const lastItem = items.at(-1);
  const end = lastItem === undefined ? parent.children.length : parent.children.indexOf(lastItem) + 1;
  return { parent, name: last.name, items, end };
}

function only(nodes: readonly ElementNode[] | undefined): ElementNode | undefined {
  return nodes?.length === 1 ? nodes[0] : undefined;
}
