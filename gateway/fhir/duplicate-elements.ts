import { type Fault, fault } from "../../src/errors/index.ts";
import { expressionOf } from "./walk.ts";

/** An object or array that the scan is inside of. */
interface Container {
  /** Names met so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** Where in the container the scan is. */
  step: string | number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\],]/g;
const MAX_FAULTS = 100;

/** The properties that objects of a well-formed JSON text name more than once, each time but the first. */
export function duplicateElements(text: string): Fault[] {
  const faults: Fault[] = [];
  const containers: Container[] = [];
  const root = rootOf(text);
  for (const [token, isName] of text.matchAll(TOKEN)) {
    if (isName !== undefined) nameProperty(token, isName);
    else moveOn(containers, token);
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults;

  function nameProperty(token: string, end: string): void {
    const container = containers.at(-1);
    if (container?.names === undefined) return;
    const name = JSON.parse(token.slice(0, token.length - end.length)) as string;
    container.step = name.replace(/^_(?=[a-z])/, "");
    if (container.names.has(name)) {
      const element = expressionOf([root, ...containers.map(({ step }) => step)]);
      faults.push(fault("ELEMENT_DUPLICATED", { element }, { expression: [element] }));
    }
    container.names.add(name);
  }
}

/** An array is no resource, whatever is in it: as a patch it is named as the body that it is. */
function rootOf(text: string): string {
  if (/^\s*\[/.test(text)) return "http.body";
  return /"resourceType"\s*:\s*"([A-Za-z]{1,64})"/.exec(text)?.[1] ?? "Resource";
}

function moveOn(containers: Container[], token: string): void {
  const container = containers.at(-1);
  if (token === "{") containers.push({ names: new Set(), step: "" });
  else if (token === "[") containers.push({ names: undefined, step: 0 });
  else if (token === "}" || token === "]") containers.pop();
  else if (token === "," && typeof container?.step === "number") container.step += 1;
}
