import { type ElementDefinition, readDefinition, resourceTypes } from "./definitions.ts";

/**
 * What FHIR XML needs to know and JSON does not show: for every R5 resource and all that one is made of, its elements
 * in the order of the definition, which of them repeat, and which are attributes. A line per type, of a base whose
 * elements come first (- for none) and then `name:type`, with `*` for one that repeats, `@` for an attribute, `|` between the
 * types of a choice, of which `any` are those of Extension.value.
 */
export function generateElementOrder(): string {
  const lines = new Map<string, string>();
  const any = anyTypes();
  const visit = (type: string): void => {
    if (!lines.has(type)) describe(type, readDefinition(type));
  };
  const describe = (name: string, definition: ElementDefinition): void => {
    if (definition.children.length === 0) return;
    lines.set(name, lineOf(definition, any));
    for (const child of definition.children) {
      if (child.children.length > 0) describe(child.path, child);
      else child.types.filter((type) => !isSystemOrAbstract(type)).forEach(visit);
    }
  };
  ["Element", "BackboneElement", "Resource", "DomainResource", ...resourceTypes()].forEach(visit);
  const sorted = Object.fromEntries([["any", any.join("|")], ...[...lines].sort(byName)]);
  return `${JSON.stringify(sorted, undefined, 2)}\n`;
}

/** The bases that a definition may begin with, the longest first. */
const BASES: readonly (readonly [name: string, elements: string])[] = [
  ["DomainResource", "id meta implicitRules language text contained extension modifierExtension"],
  ["Resource", "id meta implicitRules language"],
  ["BackboneElement", "id extension modifierExtension"],
  ["Element", "id extension"],
];

function lineOf({ path, children }: ElementDefinition, any: readonly string[]): string {
  const names = `${children.map(({ name }) => name).join(" ")} `;
  const [base, first] = BASES.find(([name, own]) => name !== path && names.startsWith(`${own} `)) ?? [
    "-",
    "",
  ];
  const inherited = first === "" ? 0 : first.split(" ").length;
  return [base, ...children.slice(inherited).map((child) => elementText(child, any))].join(" ");
}

function elementText(element: ElementDefinition, any: readonly string[]): string {
  const { name, attribute, repeated } = element;
  return `${attribute ? "@" : ""}${name}:${typesText(element, any)}${repeated ? "*" : ""}`;
}

function typesText(
  { path, choice, types, children, contentOf }: ElementDefinition,
  any: readonly string[],
): string {
  if (contentOf !== undefined) return contentOf;
  if (children.length > 0) return path;
  const all = types.join("|");
  if (!choice) return all;
  return `[x]${all === any.join("|") ? "any" : all}`;
}

function anyTypes(): readonly string[] {
  return readDefinition("Extension").children.find(({ choice }) => choice)?.types ?? [];
}

/** Any resource at all, or a primitive. */
function isSystemOrAbstract(type: string): boolean {
  return type === "Resource" || /^[a-z]/.test(type);
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
