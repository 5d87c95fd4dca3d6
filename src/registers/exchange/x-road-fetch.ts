import type { RegisterAddresses } from "../register-addresses.ts";
import type { XRoadTls } from "./tls-fetch.ts";

/** What a client of X-Road needs of `fetch`. */
export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

/** How registers at these addresses are asked: with these certificates by HTTPS, for which alone what that takes is loaded. */
export async function xRoadFetch(addresses: RegisterAddresses, tls: XRoadTls = {}): Promise<Fetch> {
  if (!Object.values(addresses).some((address: string) => address.startsWith("https:"))) return fetch;
  const { tlsFetch } = await import("./tls-fetch.ts");
  return tlsFetch(tls);
}
