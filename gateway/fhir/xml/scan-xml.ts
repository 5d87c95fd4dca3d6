import { SaxesParser, type SaxesTagNS } from "saxes";
import { type Fault, fault } from "../../../src/errors/index.ts";

/** A start tag with its namespace. */
export type XmlTag = Pick<SaxesTagNS, "local" | "uri" | "isSelfClosing" | "attributes">;

/** What is told of the parts of an XML text, in their order; white space between tags is text. */
export interface XmlListener {
  open(tag: XmlTag): void;
  text(text: string): void;
  close(): void;
}

/** Elements in each other: as many as objects and arrays of JSON. */
const MAX_NESTING = 256;

/** Attributes of one element, namespaces among them. */
const MAX_ATTRIBUTES = 64;

/** Ends a scan. */
class Unreadable extends Error {
  readonly fault: Fault;

  constructor(reason: Fault, options?: ErrorOptions) {
    super(reason.meaning, options);
    this.fault = reason;
  }
}

/**
 * Goes through an XML text. Undefined when it is well-formed, else why it is refused: no document type, so no entities
 * but the five of XML; no processing instructions; UTF-8 and XML 1.0.
 */
export function scanXml(text: string, listener: XmlListener): Fault | undefined {
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    forceXMLVersion: true,
    defaultXMLVersion: "1.0",
  });
  let depth = 0;
  let attributes = 0;
  const refuse = (cause?: Error) => {
    throw new Unreadable(fault("XML_MALFORMED"), { cause });
  };
  parser.on("error", refuse);
  parser.on("doctype", () => refuse());
  parser.on("processinginstruction", () => refuse());
  parser.on("xmldecl", ({ version, encoding = "utf-8" }) => {
    if (version !== "1.0" || encoding.toLowerCase() !== "utf-8") refuse();
  });
  parser.on("opentagstart", () => {
    attributes = 0;
    depth += 1;
    if (depth > MAX_NESTING) throw new Unreadable(fault("NESTING_TOO_DEEP", { limit: String(MAX_NESTING) }));
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) refuse();
  });
  parser.on("opentag", (tag) => listener.open(tag));
  parser.on("text", (content) => listener.text(content));
  parser.on("cdata", (content) => listener.text(content));
  parser.on("closetag", () => {
    depth -= 1;
    listener.close();
  });
  try {
    parser.write(text).close();
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return error.fault;
    throw error;
  }
}
