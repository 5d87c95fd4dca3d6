import type { Message } from "@bufbuild/protobuf";

type Shown = (message: Message, path: string) => void;

/** Shows each message that there is in a message, itself included, with its FHIRPath. */
export function visitMessages(message: Message, path: string, shown: Shown): void {
  shown(message, path);
  const isFrame = message.$typeName === "patientindex.v1.ContainedResource";
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === "object" && value !== null) visit(value, isFrame ? path : `${path}.${name}`, shown);
  }
}

function visit(value: object, path: string, shown: Shown): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      if (typeof item === "object" && item !== null) visit(item, itemPath(item, path, index), shown);
    });
  } else if (isMessage(value)) {
    visitMessages(value, isElement(value) ? withoutSuffix(path) : path, shown);
  } else if ("case" in value && "value" in value && isMessage(value.value)) {
    visit(value.value, path, shown);
  }
}

function itemPath(item: object, path: string, index: number): string {
  return `${isElement(item) ? withoutSuffix(path) : path}[${index}]`;
}

function isMessage(value: unknown): value is Message {
  return (
    typeof value === "object" && value !== null && "$typeName" in value && typeof value.$typeName === "string"
  );
}

/** The id and extensions of a primitive: birthDateElement has the path of birthDate. */
function isElement(value: object): boolean {
  return isMessage(value) && value.$typeName === "patientindex.v1.Element";
}

function withoutSuffix(path: string): string {
  return path.replace(/Element$/, "");
}

/** Of such a path the elements alone, without the resource and the indices: what holds of an element holds of each of them. */
export function belowResource(path: string): string {
  return path.slice(path.indexOf(".") + 1).replace(/\[\d+\]/g, "");
}

/** Whether any message in a message is such a one, itself included; without their paths, and so several times faster. */
export function anyMessage(message: object, isSuch: (message: Message) => boolean): boolean {
  if (Array.isArray(message)) {
    for (const item of message) if (isObject(item) && anyMessage(item, isSuch)) return true;
    return false;
  }
  for (const name in message) {
    const value = (message as Readonly<Record<string, unknown>>)[name];
    if (isObject(value) && anyMessage(value, isSuch)) return true;
  }
  return isMessage(message) && isSuch(message);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}
