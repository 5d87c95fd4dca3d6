import { MpiError } from "../../errors/index.ts";

/** The headers that say who calls, for whom and why; undefined where one was not sent, "" where it is empty. */
export interface CallerHeaders {
  readonly requestId: string | undefined;
  /** `EE` and the personal code. */
  readonly user: string | undefined;
  /** Personal code of the author, with or without the country. */
  readonly author: string | undefined;
  /** `instance/class/member-code/subsystem`. */
  readonly client: string | undefined;
  /** Percent-encoded, or not. */
  readonly issue: string | undefined;
}

export const headerNames = {
  token: "authorization",
  requestId: "x-road-id",
  user: "x-road-userid",
  author: "x-author-id",
  client: "x-road-client",
  issue: "x-road-issue",
} as const;

/** A token never holds a comma. */
const AMONG_SEVERAL = /(?:^|,)\s*bearer\s/i;

/** Reads a header by its name; null when it was not sent. */
export type ReadHeader = (name: string) => string | null;

export function callerHeaders(read: ReadHeader): CallerHeaders {
  const value = (name: string) => read(name)?.trim();
  return {
    requestId: value(headerNames.requestId),
    user: value(headerNames.user),
    author: value(headerNames.author),
    client: value(headerNames.client),
    issue: value(headerNames.issue),
  };
}

/**
 * The token of an Authorization header; undefined when there is none, or it is of another scheme. Where there are
 * several headers, which come joined by commas, nobody can say whose token is meant: that is refused.
 */
export function bearerToken(read: ReadHeader): string | undefined {
  const value = read(headerNames.token)?.trim() ?? "";
  if (value.includes(",") && AMONG_SEVERAL.test(value)) {
    throw new MpiError("TOKEN_REPEATED", {}, { expression: [`http.${headerNames.token}`] });
  }
  // Only the beginning is looked at: tokens are long.
  const [scheme] = /^bearer +(?=.)/i.exec(value) ?? [];
  return scheme === undefined ? undefined : value.slice(scheme.length);
}

const encoded = /(?:%[0-9a-f]{2})+/gi;
const control = /\p{Cc}+/gu;

/** A reason as the caller wrote it: what is percent-encoded UTF-8 is decoded, any other `%` stays; on one line. */
export function decodedIssue(issue: string | undefined): string | undefined {
  const text = issue?.replace(encoded, decoded).replace(control, " ").trim();
  return text || undefined;
}

function decoded(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}
