import type { DescField, DescMessage, DescOneof, Message } from "@bufbuild/protobuf";
import { type Identifier, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";

type Visit = (identifier: Identifier) => void;
type Node = Record<string, unknown>;
type Step = (node: Node, visit: Visit) => void;

const stepsByType = new Map<string, Step[]>();

/**
 * Calls `visit` for every Identifier anywhere in a resource (in extensions, references and contained resources
 * too), always in the same order for the same content.
 */
export function visitIdentifiers(schema: DescMessage, message: Message, visit: Visit): void {
  visitMessage(schema, message as unknown as Node, visit);
}

function visitMessage(schema: DescMessage, node: Node, visit: Visit): void {
  if (schema.typeName === IdentifierSchema.typeName) visit(node as unknown as Identifier);
  for (const step of stepsOf(schema)) step(node, visit);
}

function stepsOf(schema: DescMessage): Step[] {
  let steps = stepsByType.get(schema.typeName);
  if (!steps) {
    steps = schema.members.flatMap((member) =>
      member.kind === "oneof" ? oneofStep(member) : fieldStep(member),
    );
    stepsByType.set(schema.typeName, steps);
  }
  return steps;
}

function fieldStep(field: DescField): Step[] {
  const schema = field.message;
  if (!schema || !isOurs(schema)) return [];
  const name = field.localName;
  if (field.fieldKind === "list") {
    return [
      (node, visit) => {
        for (const element of node[name] as Node[]) visitMessage(schema, element, visit);
      },
    ];
  }
  return [
    (node, visit) => {
      const child = node[name];
      if (child !== undefined) visitMessage(schema, child as Node, visit);
    },
  ];
}

function oneofStep(oneof: DescOneof): Step[] {
  const schemas = new Map<string, DescMessage>();
  for (const field of oneof.fields) {
    if (field.message && isOurs(field.message)) schemas.set(field.localName, field.message);
  }
  const name = oneof.localName;
  return [
    (node, visit) => {
      const choice = node[name] as { case: string | undefined; value?: Node };
      const schema = choice.case === undefined ? undefined : schemas.get(choice.case);
      if (schema && choice.value) visitMessage(schema, choice.value, visit);
    },
  ];
}

function isOurs(schema: DescMessage): boolean {
  return schema.typeName.startsWith("patientindex.");
}
