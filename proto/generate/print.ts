import type { FieldModel, Member, MessageModel, OneofModel } from "./messages.ts";

/** A file of the package: a heading comment, what it imports, its messages. */
export interface FileModel {
  readonly comment: string;
  readonly imports: readonly string[];
  readonly messages: readonly MessageModel[];
}

/** The text of a .proto file, formatted as `buf format` does. */
export function printFile(file: FileModel): string {
  const sections = [
    [
      ...comment(file.comment),
      "// Generated from the FHIR R5 definitions by proto/generate/main.ts: change that, not this.",
      'syntax = "proto3";',
    ],
    ["package patientindex.v1;"],
    file.imports.map((path) => `import "${path}";`),
    ...file.messages.map(printMessage),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function printMessage(message: MessageModel): string[] {
  const option =
    message.resourceType === undefined ? [] : [[`option (resource_type) = "${message.resourceType}";`]];
  const sections = [...option, message.members.flatMap(printMember), ...message.nested.map(printMessage)];
  return [
    ...comment(message.comment),
    `message ${message.name} {`,
    ...sections.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines])).map(indent),
    "}",
  ];
}

function printMember(member: Member): string[] {
  return member.kind === "oneof" ? printOneof(member) : printField(member);
}

function printOneof(oneof: OneofModel): string[] {
  const option = oneof.min === 0 ? [] : [`option (choice_min) = ${oneof.min};`];
  return [
    ...comment(oneof.comment),
    `oneof ${oneof.name} {`,
    ...[...option, ...oneof.fields.flatMap(printField)].map(indent),
    "}",
  ];
}

function printField({ comment: text, label, type, name, number, rule }: FieldModel): string[] {
  const declaration = `${label}${type} ${name} = ${number}`;
  if (rule === undefined) return [...comment(text), `${declaration};`];
  if (rule.min === 0) return [...comment(text), `${declaration} [(element) = {type: "${rule.type}"}];`];
  return [
    ...comment(text),
    `${declaration} [(element) = {`,
    `  type: "${rule.type}"`,
    `  min: ${rule.min}`,
    "}];",
  ];
}

function comment(text: string): string[] {
  return text.split("\n").map((line) => `// ${line}`);
}

function indent(line: string): string {
  return line === "" ? line : `  ${line}`;
}
