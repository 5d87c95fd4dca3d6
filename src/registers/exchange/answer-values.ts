import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { isPersonalCode } from "../../identifiers/index.ts";
import { latestDay } from "../../time/days.ts";
import { isFullDate } from "../../time/fhir-date.ts";
import { NoAnswer } from "./failures.ts";

/** What the contract says of values, by the names of fields in all messages; each of them may be empty as well. */
const RULES: Readonly<Record<string, (value: string) => boolean>> = {
  birthDate: isPastDay,
  deathDate: isPastDay,
  start: isFullDate,
  end: isFullDate,
  successorCode: isPersonalCode,
  sex: (value) => value === "male" || value === "female",
  rate: isRate,
};

/** Controls that no text of FHIR holds: whoever reads it could not put it back. */
const CONTROL = /[\p{Cc}--[\t\n\r\x7F-\x9F]]/v;
/** Nor is one of them longer. */
const LONGEST_TEXT = 1024 * 1024;

/** Nobody has more of anything. */
const MOST_ROWS = 1_000;
/** But a text may mean many addresses. */
const MOST_ADDRESSES = 10_000;

/** What is said of two values of a message, none of them empty: the first does not come after the second. */
const IN_ORDER: readonly (readonly [earlier: string, later: string])[] = [
  ["birthDate", "deathDate"],
  ["start", "end"],
];

const UP_TO_ONE = /^(0\.\d+|1(\.0+)?)$/;

/**
 * An answer whose values are what the contract says; any other is garbage. It is looked at after the register was asked,
 * not by the parser: asking again would not mend the data of one person, nor is a register away that holds them.
 */
export function withSoundValues<Schema extends DescMessage>(
  schema: Schema,
  answer: MessageShape<Schema>,
): MessageShape<Schema> {
  const wrong = unsoundField(schema, answer);
  // Without the value: it is of a person, and the message may be logged.
  if (wrong) throw new NoAnswer("garbage", new Error(`A ${wrong} is not what it must be.`));
  return answer;
}

/** Name of a field of an answer whose value is not what the contract says; undefined when all of them are. */
export function unsoundField<Schema extends DescMessage>(
  schema: Schema,
  answer: MessageShape<Schema>,
): string | undefined {
  return wrongField(reflect(schema, answer));
}

/**
 * Cuts the lists of an answer that are too long to be sound to what shows that they are: to read millions of rows would
 * hold up everybody for as long.
 */
export function cutLists(json: unknown, name = ""): void {
  if (Array.isArray(json)) {
    if (json.length > mostOf(name)) json.length = mostOf(name) + 1;
    for (const one of json) cutLists(one);
  } else if (typeof json === "object" && json !== null) {
    for (const [key, value] of Object.entries(json)) cutLists(value, key);
  }
}

/** How many values the list of a name may have. */
function mostOf(name: string): number {
  return name === "addresses" ? MOST_ADDRESSES : MOST_ROWS;
}

/** Name of the first field whose value breaks its rule, in the message or below it. */
function wrongField(message: ReflectMessage): string | undefined {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === "list" && message.get(field).size > mostOf(field.localName))
      return field.localName;
    if (textsIn(message, field).some((text) => !isSound(field.localName, text))) return field.localName;
    const below = messagesIn(message, field);
    const wrong = below.map(wrongField).find((name) => name !== undefined);
    if (wrong) return wrong;
  }
  return IN_ORDER.find(([earlier, later]) =>
    isReversed(textIn(message, earlier), textIn(message, later)),
  )?.[1];
}

function isSound(name: string, text: string): boolean {
  return text.length <= LONGEST_TEXT && !CONTROL.test(text) && (RULES[name]?.(text) ?? true);
}

function isReversed(earlier: string, later: string): boolean {
  return earlier !== "" && later !== "" && earlier > later;
}

/** Empty where the message has no such field. */
function textIn(message: ReflectMessage, name: string): string {
  const field = message.fields.find(({ localName }) => localName === name);
  return field?.fieldKind === "scalar" ? String(message.get(field)) : "";
}

function textsIn(message: ReflectMessage, field: ReflectMessage["fields"][number]): string[] {
  if (field.fieldKind === "scalar") return [String(message.get(field))];
  return field.fieldKind === "list" && field.listKind === "scalar" ? [...message.get(field)].map(String) : [];
}

function messagesIn(message: ReflectMessage, field: ReflectMessage["fields"][number]): ReflectMessage[] {
  if (field.fieldKind === "message") return [message.get(field)];
  const ofMessages = field.fieldKind === "list" && field.listKind === "message";
  return ofMessages ? ([...message.get(field)] as ReflectMessage[]) : [];
}

/** A day that is not ahead of all clocks. */
function isPastDay(value: string): boolean {
  return isFullDate(value) && value <= latestDay(new Date());
}

/** A decimal above 0 and up to 1. */
function isRate(value: string): boolean {
  return UP_TO_ONE.test(value) && Number(value) > 0;
}
