import { numberText, resourceFhirType } from "../../fhir/index.ts";
import type { ElementNode } from "./element-tree.ts";
import type { Criteria, Literal, Path, Step } from "./path-text.ts";

/** A name in a path is no element of what it is looked for in. */
class UnknownElement extends Error {}

/**
 * The nodes that a path leads to from a resource; the name of the resource type may stand first. Undefined when a name
 * in it is no element of R5 there.
 */
export function select(root: ElementNode, path: Path): ElementNode[] | undefined {
  const [first, ...others] = path;
  const isRooted = first?.kind === "child" && resourceFhirType(first.name) !== undefined;
  if (isRooted && first.name !== root.type.name) return undefined;
  try {
    return follow([root], isRooted ? others : path);
  } catch (error) {
    if (error instanceof UnknownElement) return undefined;
    throw error;
  }
}

function follow(start: ElementNode[], path: Path): ElementNode[] {
  let nodes = start;
  for (const step of path) nodes = take(nodes, step);
  return nodes;
}

function take(nodes: ElementNode[], step: Step): ElementNode[] {
  switch (step.kind) {
    case "child":
      return childrenOf(nodes, step.name);
    case "index":
      return nodes.slice(step.index, step.index + 1);
    case "first":
      return nodes.slice(0, 1);
    case "last":
      return nodes.slice(-1);
    case "this":
      return nodes;
    case "extension":
      return childrenOf(nodes, "extension").filter(({ children }) =>
        children.some(({ element, value }) => element?.name === "url" && value === step.url),
      );
    case "ofType":
      return nodes.filter(({ element }) => element !== undefined && typeOf(element.content) === step.type);
    case "where":
      return nodes.filter((node) => holds(node, step.criteria));
  }
}

function childrenOf(nodes: readonly ElementNode[], name: string): ElementNode[] {
  if (nodes.some(({ type }) => !hasElement(type.elements.values(), name))) throw new UnknownElement();
  return nodes.flatMap(({ children }) => children.filter(({ element }) => element?.name === name));
}

function hasElement(elements: Iterable<{ readonly name: string }>, name: string): boolean {
  for (const element of elements) if (element.name === name) return true;
  return false;
}

function typeOf(content: NonNullable<ElementNode["element"]>["content"]): string {
  if (content.kind === "primitive") return content.codec.type;
  return content.kind === "complex" ? content.type : content.kind;
}

/** A comparison with nothing has no answer in FHIRPath, and selects nothing. */
function holds(node: ElementNode, criteria: Criteria): boolean {
  switch (criteria.kind) {
    case "and":
      return holds(node, criteria.left) && holds(node, criteria.right);
    case "or":
      return holds(node, criteria.left) || holds(node, criteria.right);
    case "exists":
      return follow([node], criteria.path).length > 0 === criteria.exists;
    case "compare": {
      const [only, ...others] = follow([node], criteria.path);
      if (only === undefined) return false;
      return (others.length === 0 && isEqual(only, criteria.literal)) === criteria.equal;
    }
  }
}

function isEqual({ value }: ElementNode, literal: Literal): boolean {
  if (typeof literal !== "number") return value === literal;
  const text = numberText(value);
  return text !== undefined && Number(text) === literal;
}
