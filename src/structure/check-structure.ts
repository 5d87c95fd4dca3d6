import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { Fault } from "../errors/index.ts";
import { checkOtherResource } from "./check-other-resource.ts";
import { type Chosen, compilingChecks } from "./compiled-checks.ts";
import { type ChoiceCheck, type ContentCheck, type ElementCheck, resourceTypeOf } from "./message-checks.ts";
import { Place } from "./place.ts";

/** Messages that may lie in each other, as in the JSON of the gateway. */
const MAX_DEPTH = 64;

/** Stands for a null among the values of a repeated primitive. */
const NO_VALUE = "";

type Node = Readonly<Record<string, unknown>>;

const compiledOf = compilingChecks({ element: checkElement, list: checkList, choice: checkChoice });

/**
 * What a generated client can get wrong in a FHIR message, by the options of its descriptor: bad primitives, missing
 * and empty elements, values and x_element of different lengths, fields that this index does not know. Each fault has
 * the meaning and the expression that it has in FHIR JSON.
 */
export function checkStructure<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Fault[] {
  const root = Place.root(resourceTypeOf(schema) ?? schema.name);
  checkMessage(schema, message, root);
  return root.faults;
}

function checkMessage(desc: DescMessage, message: Message, place: Place): void {
  if (place.depth > MAX_DEPTH) {
    place.report("NESTING_TOO_DEEP", { limit: String(MAX_DEPTH) });
    return;
  }
  if (message.$unknown !== undefined) place.report("ELEMENT_UNKNOWN", {});
  const { isResource, isExtension, isEmpty, checkElements } = compiledOf(desc);
  if (!isResource && isEmpty(message)) place.report("ELEMENT_EMPTY", {});
  const choices = checkElements(message, place);
  if (isExtension) checkExtension(message, choices > 0, place);
}

/** R5's invariant ext-1: an extension has a value or extensions, and not both. */
function checkExtension(message: Message, hasValue: boolean, place: Place): void {
  const { extension } = message as unknown as { readonly extension: readonly Message[] };
  const hasExtensions = extension.length > 0;
  if (hasValue && hasExtensions) place.report("EXTENSION_AMBIGUOUS", {});
  if (!hasValue && !hasExtensions) place.child("value").report("ELEMENT_MISSING", {});
}

function checkElement(
  { field, required, content }: ElementCheck,
  value: unknown,
  own: unknown,
  parent: Place,
): void {
  if (value !== undefined) checkValue(content, value, parent.child(field));
  if (own !== undefined) checkOwnElement(content, own, parent.child(field));
  if (required && value === undefined && own === undefined) parent.child(field).report("ELEMENT_MISSING", {});
}

/** Answers with how many types the choice has. */
function checkChoice(
  { field, required, byCase, primitives }: ChoiceCheck,
  chosen: Chosen,
  message: Message,
  parent: Place,
): number {
  const content = chosen.case === undefined ? undefined : byCase.get(chosen.case);
  if (content !== undefined) checkValue(content, chosen.value, parent.child(field));
  let types = content === undefined ? 0 : 1;
  for (const [name, primitive] of primitives) {
    const own = ownElement(primitive, message);
    if (own === undefined) continue;
    if (name !== chosen.case) types++;
    checkOwnElement(primitive, own, parent.child(field));
  }
  if (types > 1) parent.child(field).report("CHOICE_AMBIGUOUS", {});
  if (types === 0 && required) parent.child(field).report("ELEMENT_MISSING", {});
  return types;
}

function checkList(
  { field, required, most, content }: ElementCheck,
  values: readonly unknown[],
  own: readonly Message[],
  parent: Place,
): void {
  const place = parent.child(field);
  if (values.length > most) {
    place.report("ELEMENT_REPEATED_TOO_OFTEN", { max: String(most) });
    return;
  }
  if (values.length === 0 && required) place.report("ELEMENT_MISSING", {});
  if (own.length > 0 && own.length !== values.length) place.report("ARRAYS_NOT_PARALLEL", {});
  for (let index = 0; index < values.length; index++) {
    checkItem(content, values[index], own[index], place.item(index));
  }
}

function checkItem(content: ContentCheck, value: unknown, own: Message | undefined, place: Place): void {
  const { elementMessage } = content;
  const hasOwn =
    own !== undefined && elementMessage !== undefined && !compiledOf(elementMessage).isEmpty(own);
  if (hasOwn) checkOwnElement(content, own, place);
  if (content.test === undefined || value !== NO_VALUE) checkValue(content, value, place);
  else if (!hasOwn) place.report("NULL_NOT_ALLOWED", {});
}

function checkValue({ test, type, message }: ContentCheck, value: unknown, place: Place): void {
  if (value === "") place.report("ELEMENT_EMPTY", {});
  else if (test !== undefined && !test(value)) place.report("PRIMITIVE_INVALID", { type });
  if (message === undefined) return;
  if (type === "Resource") checkContained(message, value as Message, place);
  else checkMessage(message, value as Message, place);
}

/** ContainedResource is no element of FHIR: what it holds stands where it stands. */
function checkContained(desc: DescMessage, message: Message, place: Place): void {
  const choice = desc.oneofs[0];
  const chosen = choice && ((message as unknown as Node)[choice.localName] as Chosen);
  const field = choice?.fields.find(({ localName }) => localName === chosen?.case);
  if (choice === undefined || field === undefined) {
    place.report("ELEMENT_EMPTY", {});
  } else if (field.message !== undefined) {
    checkMessage(field.message, chosen?.value as Message, place);
  } else {
    const types = choice.fields.flatMap((other) => (other.message && resourceTypeOf(other.message)) ?? []);
    checkOtherResource(chosen?.value as string, types, place);
  }
}

function ownElement({ elementField }: ContentCheck, message: Message): unknown {
  return elementField === undefined ? undefined : (message as unknown as Node)[elementField];
}

function checkOwnElement({ elementMessage }: ContentCheck, own: unknown, place: Place): void {
  if (elementMessage !== undefined) checkMessage(elementMessage, own as Message, place);
}
