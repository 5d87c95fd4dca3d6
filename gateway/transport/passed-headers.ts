import { CallHeaders } from "../../src/call/call-headers.ts";
import { headerText } from "./header-text.ts";

/** The request headers that mean something to the core; under gRPC they are metadata keys of the same name. */
export const passedHeaderNames = [
  "authorization",
  "accept-language",
  "cache-control",
  "x-mpi-version",
  "x-road-id",
  "x-road-userid",
  "x-author-id",
  "x-road-client",
  "x-road-issue",
  "traceparent",
  "tracestate",
] as const;

const printableAscii = /^[ -~]*$/;
const notPrintableAscii = /[^ -~]+/gu;

/**
 * The headers of an incoming request that go on to the core, read by name; empty ones too, which say something. gRPC carries printable ASCII only:
 * anything else is percent-encoded as UTF-8, and what is ASCII already stays as it is.
 */
export function passedHeaders(read: (name: string) => string | null | undefined): Headers {
  const headers = new CallHeaders();
  for (const name of passedHeaderNames) {
    const value = read(name);
    if (value !== undefined && value !== null) headers.set(name, printable(value));
  }
  return headers;
}

function printable(value: string): string {
  return printableAscii.test(value)
    ? value
    : headerText(value).replace(notPrintableAscii, encodeURIComponent);
}
