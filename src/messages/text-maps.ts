import { type BinaryReader, type BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** A field of texts by name: each entry a message of its own in the bytes, of a key and a value. */
type TextMap = Record<string, string>;

const KEY = 1;
const VALUE = 2;

export function writeTextMap(writer: BinaryWriter, number: number, map: Readonly<TextMap>): void {
  for (const [key, value] of Object.entries(map)) {
    writer.tag(number, WireType.LengthDelimited).fork();
    writer.tag(KEY, WireType.LengthDelimited).string(key);
    writer.tag(VALUE, WireType.LengthDelimited).string(value);
    writer.join();
  }
}

/** Reads one entry. What an entry lacks is empty. */
export function readTextEntry(reader: BinaryReader, map: TextMap): void {
  let [key, value] = ["", ""];
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    if (number === KEY) key = reader.string(true);
    else if (number === VALUE) value = reader.string(true);
    else reader.skip(wireType, number);
  }
  // A key may be "__proto__".
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}
