import { MpiError } from "../errors/index.ts";

const LAST_VERSION = 2_147_483_647n;

/** An opaque token of a position behind which the next page begins. */
export function pageToken(position: bigint | number): string {
  return Buffer.from(`p${position}`, "utf8").toString("base64url");
}

/** The position of a token that we gave; undefined for no token, refused as `_page`, like that of a search, for anything else (MPI-096). */
export function parsePageToken(token: string): bigint | undefined {
  if (token === "") return undefined;
  const [, position] = /^p(\d{1,18})$/.exec(Buffer.from(token, "base64url").toString("utf8")) ?? [];
  if (position === undefined) throw malformedToken();
  return BigInt(position);
}

/** The version of a token that we gave, as parsePageToken does. */
export function parseVersionToken(token: string): number | undefined {
  const position = parsePageToken(token);
  if (position !== undefined && position > LAST_VERSION) throw malformedToken();
  return position === undefined ? undefined : Number(position);
}

function malformedToken(): MpiError {
  return new MpiError("PARAMETER_MALFORMED", { param: "_page" }, { expression: ["http._page"] });
}

const DEFAULT_SIZE = 20;
const MAXIMUM_SIZE = 100;

/** How many entries a page holds: 20 when not said, at most 100. */
export function pageSize(wished: number): number {
  if (wished < 0) throw new MpiError("PARAMETER_MALFORMED", { param: "page_size" });
  return wished === 0 ? DEFAULT_SIZE : Math.min(wished, MAXIMUM_SIZE);
}
