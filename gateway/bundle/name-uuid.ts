import { createHash } from "node:crypto";

/** The namespace of URLs, 6ba7b811-9dad-11d1-80b4-00c04fd430c8 (RFC 9562, 6.6). */
const URLS = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");
const VERSION = 0x50;
const VARIANT = 0x80;

/** The `urn:uuid:` of a URL, always the same: a UUID of version 5 (RFC 9562, 5.5). */
export function urnOfUrl(url: string): string {
  const bytes = createHash("sha1").update(URLS).update(url).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | VERSION, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | VARIANT, 8);
  const hex = bytes.toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `urn:uuid:${parts.join("-")}`;
}
