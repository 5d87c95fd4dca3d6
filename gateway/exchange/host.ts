/** A name or an address, IPv6 in brackets, with or without a port (RFC 9110, 7.2); neither may be empty. */
const HOST = /^(?:[\w.-]{1,255}|\[[\dA-Fa-f:.]{2,45}\])(?::\d{0,5})?$/;

export function isHost(text: string): boolean {
  return HOST.test(text);
}
