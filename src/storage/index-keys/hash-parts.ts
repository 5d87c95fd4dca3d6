import { Prisma } from "../../../prisma/gen/client.ts";

const HASHES = 2 ** 32;

/** Which rows of the blind index are in a part of it: hashes are spread evenly, so parts of them are equal. */
export function hashesOfPart(part: number, parts: number): Prisma.Sql {
  const from = Prisma.sql`value_hmac >= ${startOf(part, parts)}`;
  return part + 1 < parts ? Prisma.sql`${from} AND value_hmac < ${startOf(part + 1, parts)}` : from;
}

/** The first hash of a part, by its first four bytes. */
function startOf(part: number, parts: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Math.floor((HASHES * part) / parts));
  return bytes;
}
