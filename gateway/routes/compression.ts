import { gzip } from "node:zlib";

/** Below it an answer fits into one packet anyway. */
const SMALLEST = 1400;

/** Whether a body of this length is to be sent compressed to a client with this Accept-Encoding (RFC 9110, 12.5.3). */
export function wantsGzip(body: string, acceptEncoding: string | string[] | undefined): boolean {
  if (body.length < SMALLEST || acceptEncoding === undefined) return false;
  const codings = String(acceptEncoding).toLowerCase().split(",").map(parseCoding);
  const own = codings.find(({ name }) => name === "gzip") ?? codings.find(({ name }) => name === "*");
  return own !== undefined && own.quality > 0;
}

/** The body compressed, off the thread that answers requests. */
export function gzipped(body: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(body, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
}

function parseCoding(text: string): { readonly name: string; readonly quality: number } {
  const [name = "", weight] = text.split(";").map((part) => part.trim());
  const quality = weight?.startsWith("q=") ? Number(weight.slice(2)) : 1;
  return { name, quality: Number.isNaN(quality) ? 0 : quality };
}
