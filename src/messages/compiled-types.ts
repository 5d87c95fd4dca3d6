import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc, StructSchema } from "@bufbuild/protobuf/wkt";

/** Whether compiled code reads and writes messages of a type; the others, of which the contract has none, are left to protobuf-es. */
export function isCompiled({ fields }: DescMessage): boolean {
  return fields.every((field) => (field.fieldKind === "map" ? isTextMap(field) : !isShownOtherwise(field)));
}

function isTextMap(field: DescField & { fieldKind: "map" }): boolean {
  return field.mapKey === ScalarType.STRING && field.scalar === ScalarType.STRING;
}

/** Google's types that protobuf-es has other values for than messages. */
function isShownOtherwise({ message }: DescField): boolean {
  return message !== undefined && (isWrapperDesc(message) || message.typeName === StructSchema.typeName);
}
