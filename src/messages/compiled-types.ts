import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc, StructSchema } from "@bufbuild/protobuf/wkt";

/** Refuses a type that compiled code would read and write wrongly. The contract has none, and gets none unnoticed. */
export function refuseUncompiled({ fields, typeName }: DescMessage): void {
  const unfit = fields.find((field) => !isCompiled(field));
  if (!unfit) return;
  throw new TypeError(
    `${typeName}.${unfit.name} cannot be read and written: src/messages has no code for maps but those of texts, nor for wrappers ` +
      "and google.protobuf.Struct.",
  );
}

function isCompiled(field: DescField): boolean {
  return field.fieldKind === "map" ? isTextMap(field) : !isShownOtherwise(field);
}

function isTextMap(field: DescField & { fieldKind: "map" }): boolean {
  return field.mapKey === ScalarType.STRING && field.scalar === ScalarType.STRING;
}

/** Google's types that protobuf-es has other values for than messages. */
function isShownOtherwise({ message }: DescField): boolean {
  return message !== undefined && (isWrapperDesc(message) || message.typeName === StructSchema.typeName);
}
