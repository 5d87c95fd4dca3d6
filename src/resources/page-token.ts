import { MpiError } from "../errors/index.ts";
import type { ListPage, ListRequest } from "./pages.ts";

const LAST_VERSION = 2_147_483_647n;

/** The name of a list of versions or changes in its tokens: a position means something in its own order alone. */
export function listName(path: string, { oldestFirst }: Pick<ListRequest, "oldestFirst">): string {
  return oldestFirst ? `${path} oldest first` : path;
}

/** An opaque token of a position of a list behind which its next page begins; it is good for no other list. */
export function pageToken(list: string, position: bigint | number): string {
  return tokenOf(list, String(position));
}

/** The position of a token that we gave for this list; undefined for no token, refused for anything else (MPI-096). */
export function parsePageToken(list: string, token: string): bigint | undefined {
  if (token === "") return undefined;
  const position = placeIn(list, token);
  if (!POSITION.test(position)) throw malformed("page_token");
  return BigInt(position);
}

const POSITION = /^\d{1,18}$/;

/** A token that says where in a list, in a text without spaces. */
export function tokenOf(list: string, place: string): string {
  return Buffer.from(`${place} ${list}`, "utf8").toString("base64url");
}

/** Where a token of this list says; refused for any other (MPI-096). */
export function placeIn(list: string, token: string): string {
  const text = Buffer.from(token, "base64url").toString("utf8");
  const end = text.indexOf(" ");
  if (end < 0 || text.slice(end + 1) !== list) throw malformed("page_token");
  return text.slice(0, end);
}

/** The version of a token that we gave, as parsePageToken does. */
export function parseVersionToken(list: string, token: string): number | undefined {
  const position = parsePageToken(list, token);
  if (position !== undefined && position > LAST_VERSION) throw malformed("page_token");
  return position === undefined ? undefined : Number(position);
}

/** The refusal of a field of a request for a list, by its name in the contract. */
export function malformed(param: "page_size" | "page_token"): MpiError {
  return new MpiError("PARAMETER_MALFORMED", { param }, { expression: [param] });
}

const DEFAULT_SIZE = 20;
const MAXIMUM_SIZE = 100;

/** How many entries a page holds: 20 when not said, at most 100. */
export function pageSize(wished: number): number {
  if (wished < 0) throw malformed("page_size");
  return wished === 0 ? DEFAULT_SIZE : Math.min(wished, MAXIMUM_SIZE);
}

/** The page that is asked for, behind a place where there is one. */
export function pageBehind<Place>(
  after: Place | undefined,
  { pageSize: wished, oldestFirst, since }: ListRequest,
): ListPage<Place> {
  return {
    size: pageSize(wished),
    oldestFirst,
    ...(since && { since }),
    ...(after !== undefined && { after }),
  };
}
