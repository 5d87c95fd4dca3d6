import { type ElementNode, numberText, resourceFhirType } from "../../fhir/index.ts";
import type { Criteria, Literal, Path, Step } from "./path-text.ts";

/** Nothing is selected: a name is no element of what it is looked for in, or the effort is spent. */
class GivenUp extends Error {}

/** Elements that may still be looked at, so that no patch keeps everybody else waiting. */
export interface Effort {
  left: number;
}

/**
 * The nodes that a path leads to from a resource; the name of the resource type may stand first. Undefined when a name
 * in it is no element of R5 there, or looking for them takes more than the effort that is left.
 */
export function select(root: ElementNode, path: Path, effort: Effort): ElementNode[] | undefined {
  const [first, ...others] = path;
  const isRooted = first?.kind === "child" && resourceFhirType(first.name) !== undefined;
  if (isRooted && first.name !== root.type.name) return undefined;
  try {
    return follow([root], isRooted ? others : path, effort);
  } catch (error) {
    if (error instanceof GivenUp) return undefined;
    throw error;
  }
}

function follow(start: ElementNode[], path: Path, effort: Effort): ElementNode[] {
  let nodes = start;
  for (const step of path) {
    effort.left -= nodes.length;
    if (effort.left < 0) throw new GivenUp();
    nodes = take(nodes, step, effort);
  }
  return nodes;
}

function take(nodes: ElementNode[], step: Step, effort: Effort): ElementNode[] {
  switch (step.kind) {
    case "child":
      return childrenOf(nodes, step.name, effort);
    case "index":
      return nodes.slice(step.index, step.index + 1);
    case "first":
      return nodes.slice(0, 1);
    case "last":
      return nodes.slice(-1);
    case "this":
      return nodes;
    case "extension":
      return childrenOf(nodes, "extension", effort).filter(({ children }) =>
        children.some(({ element, value }) => element?.name === "url" && value === step.url),
      );
    case "ofType":
      return nodes.filter(({ element }) => element !== undefined && typeOf(element.content) === step.type);
    case "where":
      return nodes.filter((node) => holds(node, step.criteria, effort));
  }
}

function childrenOf(nodes: readonly ElementNode[], name: string, effort: Effort): ElementNode[] {
  return nodes.flatMap(({ type, children }) => {
    if (!type.names.has(name)) throw new GivenUp();
    effort.left -= children.length;
    return children.filter(({ element }) => element?.name === name);
  });
}

function typeOf(content: NonNullable<ElementNode["element"]>["content"]): string {
  if (content.kind === "primitive") return content.codec.type;
  return content.kind === "complex" ? content.type : content.kind;
}

/** A comparison with nothing has no answer in FHIRPath, and selects nothing. */
function holds(node: ElementNode, criteria: Criteria, effort: Effort): boolean {
  switch (criteria.kind) {
    case "and":
      return holds(node, criteria.left, effort) && holds(node, criteria.right, effort);
    case "or":
      return holds(node, criteria.left, effort) || holds(node, criteria.right, effort);
    case "exists":
      return follow([node], criteria.path, effort).length > 0 === criteria.exists;
    case "compare": {
      const [only, ...others] = follow([node], criteria.path, effort);
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
