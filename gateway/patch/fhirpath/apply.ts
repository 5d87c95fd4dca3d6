import { MpiError } from "../../../src/errors/index.ts";
import { type FhirJson, resourceFhirType, Walk } from "../../fhir/index.ts";
import { type ElementNode, jsonOf, treeOf } from "./element-tree.ts";
import { isTaken, nodeFor, type PatchOperation } from "./operations.ts";
import type { Path } from "./path-text.ts";
import { select } from "./select.ts";

/**
 * The resource with all operations done in their order; `resource` itself is not changed. One that cannot be done
 * refuses the patch as a whole (PATCH_NOT_APPLICABLE).
 */
export function applyOperations(resource: FhirJson, operations: readonly PatchOperation[]): FhirJson {
  const type = resourceFhirType(resource["resourceType"]);
  if (type === undefined) throw new TypeError("What is patched is no resource");
  const root = treeOf(type, resource, new Walk(type.name));
  for (const [index, operation] of operations.entries()) {
    if (apply(root, operation)) continue;
    const parameters = { number: String(index + 1), path: operation.pathText };
    throw new MpiError("PATCH_NOT_APPLICABLE", parameters, {
      expression: [`Parameters.parameter[${index}]`],
    });
  }
  return jsonOf(root);
}

/** Whether the operation could be done. */
function apply(root: ElementNode, operation: PatchOperation): boolean {
  switch (operation.kind) {
    case "add":
      return add(root, operation);
    case "insert":
      return insert(root, operation);
    case "replace":
      return replace(root, operation);
    case "move":
      return move(root, operation);
    case "delete":
      return remove(root, operation.path);
  }
}

type OperationOf<Kind extends PatchOperation["kind"]> = Extract<PatchOperation, { readonly kind: Kind }>;

function add(root: ElementNode, { path, name, value }: OperationOf<"add">): boolean {
  const target = only(select(root, path));
  const node = target && nodeFor(target.type, name, value);
  if (node?.element === undefined || isTaken(target?.children ?? [], node.element)) return false;
  target?.children.push(node);
  return true;
}

function insert(root: ElementNode, { path, index, value }: OperationOf<"insert">): boolean {
  const list = listAt(root, path);
  const node = list && nodeFor(list.parent.type, list.name, value);
  if (list === undefined || node?.element?.repeated !== true || index > list.items.length) return false;
  const before = list.items[index];
  const at = before === undefined ? list.end : list.parent.children.indexOf(before);
  list.parent.children.splice(at, 0, node);
  return true;
}

function replace(root: ElementNode, { path, value }: OperationOf<"replace">): boolean {
  const target = only(select(root, path));
  const [parent] = target === undefined ? [] : ancestorsOf(root, target);
  const node = parent && nodeFor(parent.type, target?.element?.name ?? "", value);
  if (target === undefined || parent === undefined || node === undefined) return false;
  parent.children[parent.children.indexOf(target)] = node;
  return true;
}

function move(root: ElementNode, { path, source, destination }: OperationOf<"move">): boolean {
  const list = listAt(root, path);
  const moved = list?.items[source];
  const place = list?.items[destination];
  if (list === undefined || moved === undefined || place === undefined) return false;
  const { children } = list.parent;
  const at = children.indexOf(place);
  take(list.parent, moved);
  children.splice(at, 0, moved);
  return true;
}

/** That there is nothing to delete is no error; that there are several is one. What is empty then goes, too. */
function remove(root: ElementNode, path: Path): boolean {
  const found = select(root, path);
  const [target] = found ?? [];
  if (found === undefined || found.length > 1 || target === root) return false;
  const [parent, ...above] = target === undefined ? [] : ancestorsOf(root, target);
  if (target === undefined || parent === undefined) return true;
  take(parent, target);
  let emptied = parent;
  for (const ancestor of above) {
    if (emptied.children.length > 0 || emptied.value !== undefined) break;
    take(ancestor, emptied);
    emptied = ancestor;
  }
  return true;
}

function take({ children }: ElementNode, child: ElementNode): void {
  children.splice(children.indexOf(child), 1);
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

function listAt(root: ElementNode, path: Path): List | undefined {
  const last = path.at(-1);
  if (last?.kind !== "child") return undefined;
  const parent = only(path.length === 1 ? [root] : select(root, path.slice(0, -1)));
  if (parent === undefined) return undefined;
  const items = parent.children.filter(({ element }) => element?.name === last.name);
  const lastItem = items.at(-1);
  const end = lastItem === undefined ? parent.children.length : parent.children.indexOf(lastItem) + 1;
  return { parent, name: last.name, items, end };
}

function only(nodes: readonly ElementNode[] | undefined): ElementNode | undefined {
  return nodes?.length === 1 ? nodes[0] : undefined;
}

/** What a node is inside of, the innermost first; nothing for the resource itself. */
function ancestorsOf(root: ElementNode, wanted: ElementNode): ElementNode[] {
  if (root.children.includes(wanted)) return [root];
  for (const child of root.children) {
    const found = ancestorsOf(child, wanted);
    if (found.length > 0) return [...found, root];
  }
  return [];
}
