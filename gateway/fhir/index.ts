export { type Decoded, decodeElement, decodeResource } from "./decode.ts";
export { encodeResource, type FhirJson } from "./encode.ts";
export { tallinnInstant } from "./instants.ts";
export { type ParsedJson, parseJson, parseJsonBytes, stringifyJson } from "./json.ts";
export { numberText } from "./number-text.ts";
export type { JsonValue } from "./primitives.ts";
export { parseXml, parseXmlBytes } from "./xml/read-xml.ts";
export { writeXml } from "./xml/write-xml.ts";
