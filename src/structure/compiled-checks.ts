import type { DescMessage, Message } from "@bufbuild/protobuf";
import { compiled, type NameOf } from "../messages/index.ts";
import {
  type ChoiceCheck,
  type ContentCheck,
  checksOf,
  type ElementCheck,
  type MessageChecks,
} from "./message-checks.ts";
import type { Place } from "./place.ts";

export type Chosen = { readonly case: string | undefined; readonly value?: unknown };

/** The checks of elements, by how they stand in a message; `own` is the field of ids and extensions of primitives. */
export interface Checks {
  element(check: ElementCheck, value: unknown, own: unknown, parent: Place): void;
  list(check: ElementCheck, values: readonly unknown[], own: readonly Message[], parent: Place): void;
  /** Answers with how many types the choice has. */
  choice(check: ChoiceCheck, chosen: Chosen, message: Message, parent: Place): number;
}

/** The checks of one type of messages. */
export interface CompiledChecks extends Pick<MessageChecks, "isResource" | "isExtension"> {
  /** Checks those elements that are there or have to be, in their order; answers with how many types its choices have. */
  readonly checkElements: (message: Message, place: Place) => number;
  readonly isEmpty: (message: Message) => boolean;
}

/** Compiles the checks of types when they are met first. Most elements of a message are not there: code finds them fast. */
export function compilingChecks(checks: Checks): (desc: DescMessage) => CompiledChecks {
  const known = new Map<DescMessage, CompiledChecks>();
  return (desc) => {
    const before = known.get(desc);
    if (before) return before;
    const { isResource, isExtension, ...all } = checksOf(desc);
    const checkElements = compileChecks(all, checks);
    const own = { isResource, isExtension, checkElements, isEmpty: compileIsEmpty(desc) };
    known.set(desc, own);
    return own;
  };
}

function compileChecks(
  { elements, choices }: Pick<MessageChecks, "elements" | "choices">,
  checks: Checks,
): CompiledChecks["checkElements"] {
  return compiled((nameOf) => {
    const called = nameOf(checks);
    const steps = elements.map((check) => (check.repeated ? listStep : elementStep)(check, called, nameOf));
    const last = choices.map((check) => choiceStep(check, called, nameOf));
    return `(message, place) => { let types = 0; ${[...steps, ...last].join("\n")} return types; }`;
  });
}

function elementStep(check: ElementCheck, called: string, nameOf: NameOf): string {
  const [value, own] = [`message.${check.field}`, ownOf(check.content)];
  const step = `${called}.element(${nameOf(check)}, ${value}, ${own ?? "undefined"}, place);`;
  if (check.required) return step;
  return `if (${value} !== undefined${own ? ` || ${own} !== undefined` : ""}) ${step}`;
}

function listStep(check: ElementCheck, called: string, nameOf: NameOf): string {
  const [values, own] = [`message.${check.field}`, ownOf(check.content)];
  const step = `${called}.list(${nameOf(check)}, ${values}, ${own ?? nameOf([])}, place);`;
  if (check.required) return step;
  return `if (${values}.length > 0${own ? ` || ${own}.length > 0` : ""}) ${step}`;
}

function choiceStep(check: ChoiceCheck, called: string, nameOf: NameOf): string {
  const chosen = `message.${check.field}`;
  const step = `types += ${called}.choice(${nameOf(check)}, ${chosen}, message, place);`;
  if (check.required) return step;
  const own = check.primitives.map(([, content]) => ` || ${ownOf(content)} !== undefined`);
  return `if (${chosen}.case !== undefined${own.join("")}) ${step}`;
}

function ownOf({ elementField }: ContentCheck): string | undefined {
  return elementField && `message.${elementField}`;
}

function compileIsEmpty({ members }: DescMessage): CompiledChecks["isEmpty"] {
  const unset = members.map((member) => {
    const field = `message.${member.localName}`;
    if (member.kind === "oneof") return `${field}.case === undefined`;
    if (member.fieldKind === "list") return `${field}.length === 0`;
    return `(${field} === undefined || ${field} === "")`;
  });
  return compiled(() => `(message) => ${["message.$unknown === undefined", ...unset].join(" && ")}`);
}
