import { scanXml, type XmlTag } from "./scan-xml.ts";
import { attributeText, contentText, XHTML_NAMESPACE } from "./xml-text.ts";

const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

/**
 * The text of an XHTML element, written anew while it is scanned: names without prefixes, its namespace declared on it,
 * characters in place of references; comments are gone.
 */
export class XhtmlText {
  #text = "";
  readonly #open: { readonly name: string; readonly namespace: string; readonly isSelfClosing: boolean }[] =
    [];

  open({ local, uri, isSelfClosing, attributes }: XmlTag): void {
    const declared = uri === this.#open.at(-1)?.namespace ? "" : ` xmlns="${attributeText(uri)}"`;
    const written = Object.values(attributes)
      .filter((attribute) => attribute.uri === "" || attribute.uri === XML_NAMESPACE)
      .map(({ name, value }) => ` ${name}="${attributeText(value)}"`);
    this.#text += `<${local}${declared}${written.join("")}${isSelfClosing ? "/>" : ">"}`;
    this.#open.push({ name: local, namespace: uri, isSelfClosing });
  }

  text(text: string): void {
    this.#text += contentText(text);
  }

  /** Whether the whole element is closed by that. */
  close(): boolean {
    const closed = this.#open.pop();
    if (closed?.isSelfClosing === false) this.#text += `</${closed.name}>`;
    return this.#open.length === 0;
  }

  toString(): string {
    return this.#text;
  }
}

/** The div of a narrative, fit to stand in XML: as it is if it is XHTML, else as the text of a div. */
export function xhtmlElement(div: string): string {
  const copy = new XhtmlText();
  let root: XmlTag | undefined;
  const reason = scanXml(div, {
    open(tag) {
      root ??= tag;
      copy.open(tag);
    },
    text: (text) => copy.text(text),
    close: () => copy.close(),
  });
  if (reason === undefined && root?.uri === XHTML_NAMESPACE && root.local === "div") return copy.toString();
  return `<div xmlns="${XHTML_NAMESPACE}">${contentText(div)}</div>`;
}
