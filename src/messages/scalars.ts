import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

const BIT64: readonly ScalarType[] = [ScalarType.DOUBLE, ScalarType.FIXED64, ScalarType.SFIXED64];
const BIT32: readonly ScalarType[] = [ScalarType.FLOAT, ScalarType.FIXED32, ScalarType.SFIXED32];
const DELIMITED: readonly ScalarType[] = [ScalarType.STRING, ScalarType.BYTES];

/** What a field that is no message stands for in the bytes: an enum for its number. */
export function scalarOf(field: DescField): ScalarType {
  return field.scalar ?? ScalarType.INT32;
}

/** How the reader and the writer of protobuf-es call what reads and writes it: string, int64. */
export function scalarMethod(type: ScalarType): string {
  return ScalarType[type].toLowerCase();
}

export function wireTypeOf(type: ScalarType): WireType {
  if (DELIMITED.includes(type)) return WireType.LengthDelimited;
  if (BIT64.includes(type)) return WireType.Bit64;
  return BIT32.includes(type) ? WireType.Bit32 : WireType.Varint;
}
