import { malformed, placeIn, tokenOf } from "./page-token.ts";
import type { FeedPlace } from "./pages.ts";

/** An opaque token of a place in a feed behind which its next page begins. */
export function feedToken(list: string, { position, publishedAt }: FeedPlace): string {
  return tokenOf(list, publishedAt ? `${position}@${publishedAt.getTime()}` : String(position));
}

const PLACE = /^(\d{1,18})(?:@(\d{1,15}))?$/;

/** The place of a token that we gave for this feed; undefined for no token, refused for anything else (MPI-096). */
export function parseFeedToken(list: string, token: string): FeedPlace | undefined {
  if (token === "") return undefined;
  const [, position, at] = PLACE.exec(placeIn(list, token)) ?? [];
  if (position === undefined) throw malformed("page_token");
  return { position: BigInt(position), ...(at !== undefined && { publishedAt: new Date(Number(at)) }) };
}
