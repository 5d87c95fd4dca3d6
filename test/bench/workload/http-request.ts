/** A whole HTTP/1.1 request, as it goes over the wire. */
export function httpRequest(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: { readonly type: string; readonly bytes: Uint8Array },
): Uint8Array {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body) lines.push(`Content-Type: ${body.type}`, `Content-Length: ${body.bytes.length}`);
  const header = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return body ? Buffer.concat([header, body.bytes]) : header;
}
