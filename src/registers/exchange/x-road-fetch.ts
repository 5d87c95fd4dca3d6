import type { XRoadTls } from "./tls-fetch.ts";

/** What a client of X-Road needs of `fetch`. */
export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

/** Asks security servers with these certificates. Only where there are any is loaded what that takes. */
export async function xRoadFetch(tls: XRoadTls | undefined): Promise<Fetch> {
  if (!tls) return fetch;
  const { tlsFetch } = await import("./tls-fetch.ts");
  return tlsFetch(tls);
}
