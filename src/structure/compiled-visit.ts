import type { DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import { compiled } from "../messages/index.ts";

type Visit = (message: Message) => void;
type Walk = (message: Message, visit: Visit) => void;

/** The way through messages of one type. */
interface Way {
  walk: Walk;
}

/** Calls `visit` for messages in a message of a type, itself included, always in the same order for the same content. */
export type VisitMessages = (schema: DescMessage, message: Message, visit: Visit) => void;

/** Visits messages of such types, anywhere in a resource: in extensions, references and contained resources too. */
export function visitingMessages(isVisited: (schema: DescMessage) => boolean): VisitMessages {
  const ways = new Map<string, Way>();
  const wayThrough = (schema: DescMessage): Way => {
    const known = ways.get(schema.typeName);
    if (known) return known;
    // Compiled when it is gone first: types contain each other.
    const way: Way = {
      walk(message, visit) {
        way.walk = compile(schema, isVisited(schema), wayThrough);
        way.walk(message, visit);
      },
    };
    ways.set(schema.typeName, way);
    return way;
  };
  return (schema, message, visit) => wayThrough(schema).walk(message, visit);
}

function compile(schema: DescMessage, isVisited: boolean, wayThrough: (schema: DescMessage) => Way): Walk {
  return compiled((nameOf) => {
    const follow: Follow = (message, value) => `${nameOf(wayThrough(message))}.walk(${value}, visit);`;
    const steps = schema.members.map((member) =>
      member.kind === "oneof" ? oneofStep(member, follow) : fieldStep(member, follow),
    );
    return `(message, visit) => { ${isVisited ? "visit(message);" : ""} ${steps.join("\n")} }`;
  });
}

/** The code that goes on to a value of a type. */
type Follow = (schema: DescMessage, value: string) => string;

function fieldStep({ message, fieldKind, localName }: DescField, follow: Follow): string {
  if (!message || !isOurs(message)) return "";
  const field = `message.${localName}`;
  if (fieldKind === "list") return `for (const element of ${field}) ${follow(message, "element")}`;
  return `if (${field} !== undefined) ${follow(message, field)}`;
}

function oneofStep({ fields, localName }: DescOneof, follow: Follow): string {
  const value = `message.${localName}.value`;
  const cases = fields.flatMap(({ message, localName: name }) =>
    message && isOurs(message) ? [`case "${name}": if (${value}) ${follow(message, value)} break;`] : [],
  );
  return cases.length === 0 ? "" : `switch (message.${localName}.case) { ${cases.join("\n")} }`;
}

function isOurs(schema: DescMessage): boolean {
  return schema.typeName.startsWith("patientindex.");
}
